// Calls between a primary process and its workers, over messages.
export interface Channel {
  /** @throws, or calls `failed`, when the other end is gone */
  send(message: object, failed: (error: Error | null) => void): void;
  listen(listener: (message: unknown) => void): void;
}

export type Answers = Readonly<Record<string, (body: never) => unknown>>;

export type Call = (question: string, body: unknown) => Promise<unknown>;

type Message =
  | { svc: 'question'; id: number; question: string; body: unknown }
  | { svc: 'answer'; id: number; answer: unknown }
  | { svc: 'failure'; id: number; message: string };

const PATIENCE_MS = 2_000;

export function createProcessCalls(channel: Channel, answers: Answers, patienceMs = PATIENCE_MS): Call {
  const pending = new Map<number, { resolve: (answer: unknown) => void; reject: (error: Error) => void }>();
  let last = 0;

  const reply = async ({ id, question, body }: Message & { svc: 'question' }): Promise<void> => {
    let message: Message;
    try {
      const answer = answers[question];
      if (!answer) throw new Error(`no process answers ${question}`);
      message = { svc: 'answer', id, answer: await answer(body as never) };
    } catch (error) {
      message = { svc: 'failure', id, message: error instanceof Error ? error.message : 'failed' };
    }
    channel.send(message, () => undefined);
  };

  channel.listen((received) => {
    if (!isMessage(received)) return;
    if (received.svc === 'question') return void reply(received);
    const waiting = pending.get(received.id);
    if (received.svc === 'answer') waiting?.resolve(received.answer);
    else waiting?.reject(new Error(received.message));
  });

  return (question, body) =>
    new Promise((resolve, reject) => {
      const id = ++last;
      const ended = (): void => {
        clearTimeout(patience);
        pending.delete(id);
      };
      const fail = (error: Error): void => {
        ended();
        reject(error);
      };
      const patience = setTimeout(() => fail(new Error(`no answer to ${question} in time`)), patienceMs);
      pending.set(id, {
        resolve(answer) {
          ended();
          resolve(answer);
        },
        reject: fail,
      });
      const message: Message = { svc: 'question', id, question, body };
      channel.send(message, (error) => error && fail(error));
    });
}

function isMessage(received: unknown): received is Message {
  return typeof received === 'object' && received !== null && 'svc' in received;
}
