// Loaded by `node --import`. Reports the longest stall (ms) since the last query on STALL_PORT.
import { createServer } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

if (isMainThread) {
  const delays = monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  createServer((socket) => {
    socket.on('error', () => socket.destroy());
    // The timer must run once more.
    setTimeout(() => {
      socket.end(String(delays.count === 0 ? 0 : delays.max / 1e6));
      delays.reset();
    }, 3);
  })
    .listen(Number(process.env.STALL_PORT), '127.0.0.1')
    .unref();
}
