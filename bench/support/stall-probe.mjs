// Loaded into the service before it starts (`node --import`). Reports the longest event-loop stall since the last query, in
// milliseconds, to each connection to STALL_PORT.
import { createServer } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

if (isMainThread) {
  const delays = monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  createServer((socket) => {
    socket.on('error', () => socket.destroy());
    // The measuring timer must run once more after the measured work.
    setTimeout(() => {
      socket.end(String(delays.count === 0 ? 0 : delays.max / 1e6));
      delays.reset();
    }, 3);
  })
    .listen(Number(process.env.STALL_PORT), '127.0.0.1')
    .unref();
}
