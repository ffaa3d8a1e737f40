import { createServer } from 'node:net';

export async function freePort(host: string, preferred = 0): Promise<number> {
  try {
    return await listenOn(host, preferred);
  } catch (error) {
    if (preferred === 0) throw error;
    return listenOn(host, 0);
  }
}

function listenOn(host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(port, host, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
