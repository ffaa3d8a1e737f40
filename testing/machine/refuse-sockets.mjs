import { Socket } from 'node:net';
import { setImmediate } from 'node:timers';

Socket.prototype.connect = function refuse() {
  setImmediate(() => this.destroy(Object.assign(new Error('no network here'), { code: 'ENETUNREACH' })));
  return this;
};
