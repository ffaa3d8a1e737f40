/** A port on which a process can listen again and again: of nobody else who asks here, while this process lives. */
export function lastingPort(): Promise<number>;
