// Loaded into the service's process before the service (`node --import`): tells how long its event loop stood still at
// most since it was asked last. Whoever connects to STALL_PORT is told, in milliseconds.
import { createServer } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

if (isMainThread) {
  const delays = monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  createServer((socket) => {
    socket.on('error', () => socket.destroy());
    // The timer that measures must have run once more after what is measured.
    setTimeout(() => {
      socket.end(String(delays.count === 0 ? 0 : delays.max / 1e6));
      delays.reset();
    }, 3);
  })
    .listen(Number(process.env.STALL_PORT), '127.0.0.1')
    .unref();
}
