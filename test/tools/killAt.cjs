// Loaded by a process before anything else (`node --require`): kills it at one exact moment of its work on the cache.
// CONTEXT_BUDGET_KILL_AT is JSON: `moment` as below, at its `nth` time; `share` of a pack's bytes that get written;
// `afterAnswer` counts only what comes after `leftOpen.ts` has its map.
const promises = require('node:fs/promises');

const { moment, nth, share, afterAnswer } = JSON.parse(process.env.CONTEXT_BUDGET_KILL_AT);
let seen = 0;

const isDue = () => !afterAnswer || globalThis.hasAnswered === true;
const isNow = (file, pattern) => pattern.test(String(file)) && isDue() && ++seen === nth;
const die = () => process.kill(process.pid, 'SIGKILL');

const moments = {
  /** A part of a pack is in its temporary file. */
  writing() {
    const { open } = promises;
    promises.open = async (file, ...rest) => {
      const handle = await open(file, ...rest);
      if (isNow(file, /\.pack\..*\.tmp$/)) {
        handle.writeFile = async (bytes) => {
          await handle.write(bytes.subarray(0, Math.floor(bytes.length * share)));
          die();
        };
      }
      return handle;
    };
  },
  /** A pack has got its name. */
  written() {
    const { rename } = promises;
    promises.rename = async (from, to) => {
      await rename(from, to);
      if (isNow(to, /\.pack$/)) die();
    };
  },
  /** A pack is about to go, since others have what is in it. */
  removing() {
    const { rm } = promises;
    promises.rm = async (file, ...rest) => {
      if (isNow(file, /\.pack$/)) die();
      await rm(file, ...rest);
    };
  },
};

moments[moment]();
