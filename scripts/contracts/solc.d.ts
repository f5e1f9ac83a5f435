declare module 'solc' {
  interface Found {
    readonly contents: string;
  }
  const solc: {
    /** @param input and @returns Solidity's standard JSON */
    compile(input: string, callbacks: { import(path: string): Found }): string;
    version(): string;
  };
  export default solc;
}
