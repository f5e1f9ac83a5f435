/** How long is waited for what a transaction does; a chain that is slower is asked again. */
const MINED_POLLS = 20;
const MINED_POLL_MS = 250;

/** What is found once a transaction is in a block. @throws Error where it is not for some seconds */
export async function mined<Found>(otherwise: string, find: () => Promise<Found | null>): Promise<Found> {
  for (let poll = 0; poll < MINED_POLLS; poll++) {
    const found = await find();
    if (found !== null) return found;
    await new Promise((resolve) => setTimeout(resolve, MINED_POLL_MS));
  }
  throw new Error(otherwise);
}
