export async function during<Made>(work: () => Made | Promise<Made>): Promise<{ made: Made; turns: number }> {
  let turns = 0;
  let working = true;
  const turn = (): void => {
    turns++;
    if (working) setImmediate(turn);
  };
  setImmediate(turn);
  try {
    return { made: await work(), turns };
  } finally {
    working = false;
  }
}
