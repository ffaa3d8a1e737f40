export { run, runIn } from './main.ts';
