// A part of a page that comes after the page. One that does not come, over a Wi-Fi that drops or while the program starts
// again, is asked for again: without that its buttons would be dead until somebody loads the page anew.
const FIRST_PAUSE_MS = 500, LONGEST_PAUSE_MS = 8000;
const pause = (ms) => new Promise((resume) => setTimeout(resume, ms));

// The module beside this one whose file is `name`. What its own script does wrong is thrown, at once.
export async function later(name) {
  for (let tried = 0; ; tried++) {
    try {
      // Some browsers remember that an address failed: each try has an address of its own.
      return await import(tried ? `./${name}?try=${tried}` : `./${name}`);
    } catch (failed) {
      if (!(failed instanceof TypeError)) throw failed;  // a TypeError: it did not come
      await pause(Math.min(FIRST_PAUSE_MS * 2 ** tried, LONGEST_PAUSE_MS));
    }
  }
}
