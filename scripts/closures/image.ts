/** What a Dockerfile puts into its last stage, as far as this repository goes. */
export interface Image {
  /** Files and folders of the checkout. */
  readonly copied: readonly string[];
  /** Whether the packages of the lock file are installed. */
  readonly hasPackages: boolean;
  /** Scripts of ours that it runs while it is built. */
  readonly built: readonly string[];
  /** What a container starts with. */
  readonly main: string | null;
}

const CONTINUED = /\\\n/g;

/** Reads the subset of Dockerfile syntax that ours are written in: no here-documents, no ADD, no patterns. */
export function imageOf(dockerfile: string): Image {
  const lines = dockerfile.replaceAll(CONTINUED, ' ').split('\n');
  const copied: string[] = [];
  const built: string[] = [];
  let hasPackages = false;
  let main: string | null = null;
  for (const line of lines) {
    const [word = '', ...rest] = line.trim().split(/\s+/);
    // What a stage has copied comes into a later one with its folder.
    if (word === 'COPY' && !rest.some((each) => each.startsWith('--from='))) copied.push(...sourcesOf(rest));
    if (word === 'RUN') {
      hasPackages ||= /\bnpm ci\b/.test(line);
      for (const [, script] of line.matchAll(/\bnode (\S+\.ts)\b/g)) if (script !== undefined) built.push(script);
    }
    if (word === 'CMD' || word === 'ENTRYPOINT') main = /"([^"]+\.ts)"/.exec(line)?.[1] ?? main;
  }
  return { copied, hasPackages, built, main };
}

function sourcesOf(words: readonly string[]): string[] {
  const paths = words.filter((word) => !word.startsWith('--')).slice(0, -1);
  return paths.map((path) => path.replace(/^\.\//, '').replace(/\/$/, ''));
}

export function isCopied({ copied }: Image, path: string): boolean {
  return copied.some((source) => source === '.' || path === source || path.startsWith(`${source}/`));
}
