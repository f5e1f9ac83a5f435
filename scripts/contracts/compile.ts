import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import solc from 'solc';

const { resolve } = createRequire(import.meta.url);

/** Whatever of these changes, the code changes, and with it the address that CREATE2 gives it. */
const SETTINGS = {
  optimizer: { enabled: true, runs: 200 },
  evmVersion: 'cancun',
  // Without it the code would end with a hash over comments and paths.
  metadata: { bytecodeHash: 'none', appendCBOR: false },
} as const;

interface Diagnostic {
  readonly severity: string;
  readonly formattedMessage: string;
  readonly sourceLocation?: { readonly file: string };
}

interface CompilerOutput {
  readonly errors?: readonly Diagnostic[];
  readonly contracts: Readonly<Record<string, Readonly<Record<string, Compiled>>>>;
}

interface Compiled {
  readonly abi: readonly unknown[];
  readonly evm: {
    readonly bytecode: { readonly object: string };
    readonly deployedBytecode: { readonly object: string };
  };
}

/** What is kept of a compilation. */
export interface ContractArtifact {
  readonly contract: string;
  readonly compiler: string;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly abi: readonly unknown[];
  readonly bytecode: `0x${string}`;
  readonly deployedBytecode: `0x${string}`;
}

/**
 * Compiles the contract that a file is named after.
 *
 * @throws Error with what the compiler says, also where it only warns of our own source
 */
export function compileContract(source: string): ContractArtifact {
  const contract = basename(source, '.sol');
  const outputSelection = { '*': { [contract]: ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object'] } };
  const input = {
    language: 'Solidity',
    sources: { [source]: { content: readFileSync(source, 'utf8') } },
    settings: { ...SETTINGS, outputSelection },
  };
  const output = JSON.parse(solc.compile(JSON.stringify(input), { import: imported })) as CompilerOutput;
  // Warnings about a package's source are its authors' to mend.
  const isOurs = ({ sourceLocation }: Diagnostic) => sourceLocation?.file.startsWith('contracts/') ?? true;
  const first = output.errors?.find((said) => said.severity === 'error' || isOurs(said));
  if (first !== undefined) throw new Error(first.formattedMessage);
  const compiled = output.contracts[source]?.[contract];
  if (compiled === undefined) throw new Error(`the compiler made no ${contract}`);
  return {
    contract,
    compiler: solc.version(),
    settings: SETTINGS,
    abi: compiled.abi,
    bytecode: `0x${compiled.evm.bytecode.object}`,
    deployedBytecode: `0x${compiled.evm.deployedBytecode.object}`,
  };
}

/** Our own contracts by their path, packages by their name. */
function imported(path: string): { contents: string } {
  const isOwn = path.startsWith('contracts/');
  return { contents: readFileSync(isOwn ? join(dirname(path), basename(path)) : resolve(path), 'utf8') };
}
