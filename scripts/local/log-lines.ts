const LINES_MAX = 25;
/** Colours, and what moves the cursor. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: terminals are told what to do by such
const ESCAPE = /\u001b\[[0-9;?]*[A-Za-z]/g;
/** The table of bindings that wrangler prints at each start, and its frames. */
const BINDING = /^\s*env\.|^Your Worker has access to the following bindings|^Binding\s+Resource|^[\s─│╭╮╰╯⎔]*$/;
const COMPLAINT = /\berror\b|✘|fatal|cannot|could not|failed|in use|EADDRINUSE|ENOSPC|EACCES/i;

/** As wrangler says it. */
const UNBUILDABLE = /\bBuild failed with \d+ error/;

/** Whether a log says that the code cannot be built. */
export function saysUnbuildable(log: string): boolean {
  return UNBUILDABLE.test(log.replaceAll(ESCAPE, ''));
}

/** The last lines of the server's log that say why it did not go on: from the last complaints on, and without the table of bindings. */
export function linesThatMatter(log: string): string[] {
  const lines = log
    .replaceAll(ESCAPE, '')
    .split('\n')
    .filter((line) => !BINDING.test(line));
  const last = lines.slice(-LINES_MAX);
  if (last.some((line) => COMPLAINT.test(line))) return last;
  const complaint = lines.findLastIndex((line) => COMPLAINT.test(line));
  return complaint === -1 ? last : lines.slice(complaint, complaint + LINES_MAX);
}
