#!/usr/bin/env node
// The service out of what is built already: what a container starts. `npm start` installs and builds first.
import { main } from '../dist/run/serve.js';

await main(process.argv.slice(2));
