const COMMENT = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm;
const STATEMENT = /^[ \t]*(?:import|export)\s+(?!type\s)(?:[\w*{}\s,$]*?\sfrom\s*)?(['"])(?<specifier>[^'"\n]+)\1/gm;
const CALL =
  /\b(?:import|import\.meta\.resolve|require|require\.resolve)\(\s*(['"])(?<specifier>[^'"\n]+)\1\s*,?\s*\)/g;
const FILE_URL = /new URL\(\s*(['"])(?<specifier>\.{1,2}\/[^'"\n]+)\1\s*,\s*import\.meta\.url\s*,?\s*\)/g;

/**
 * What a module loads while it runs: the names in `import` and `export … from`, in `import()`, `import.meta.resolve()` and `require()`, and the files beside
 * it that it names by `new URL(…, import.meta.url)`. Statements that import types alone are gone at run time; `import { type A }` still loads its module.
 */
export function importsIn(source: string): string[] {
  const code = source.replaceAll(COMMENT, '');
  return [STATEMENT, CALL, FILE_URL].flatMap((pattern) =>
    [...code.matchAll(pattern)].map((match) => match.groups?.specifier ?? ''),
  );
}
