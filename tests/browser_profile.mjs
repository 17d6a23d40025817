// The folder in which a browser under test keeps what it remembers.

import { rmSync } from "node:fs";
import { setTimeout } from "node:timers/promises";

/** Removes it: helpers of the browser may write to it for a while after the browser has ended. */
export async function removeWhenLeft(profile, tries = 100) {
  try {
    rmSync(profile, { recursive: true, force: true });
  } catch (error) {
    if (tries === 0) throw error;
    await setTimeout(100);
    await removeWhenLeft(profile, tries - 1);
  }
}
