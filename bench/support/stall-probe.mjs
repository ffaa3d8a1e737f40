// `node --import` loads this. It answers each message with the longest stall (ms) since the last one.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

if (isMainThread) {
  const delays = monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  process.on('message', () => {
    // The timer of the measurement must run once more.
    setTimeout(() => {
      process.send(delays.count === 0 ? 0 : delays.max / 1e6);
      delays.reset();
    }, 3);
  });
  process.channel.unref();
}
