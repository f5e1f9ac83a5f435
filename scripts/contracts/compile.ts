import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import solc from 'solc';

const { resolve } = createRequire(import.meta.url);
const SOURCE = 'contracts/SettlementRegistry.sol';
const CONTRACT = 'SettlementRegistry';

/** Whatever of these changes, the code changes, and with it the address that CREATE2 gives it. */
const SETTINGS = {
  optimizer: { enabled: true, runs: 200 },
  evmVersion: 'cancun',
  // Without it the code would end with a hash over comments and paths.
  metadata: { bytecodeHash: 'none', appendCBOR: false },
  outputSelection: { '*': { [CONTRACT]: ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object'] } },
} as const;

interface Diagnostic {
  readonly severity: string;
  readonly formattedMessage: string;
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
export interface RegistryArtifact {
  readonly contract: string;
  readonly compiler: string;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly abi: readonly unknown[];
  readonly bytecode: `0x${string}`;
  readonly deployedBytecode: `0x${string}`;
}

/**
 * Compiles the registry.
 *
 * @throws Error with what the compiler says, also where it only warns
 */
export function compileRegistry(): RegistryArtifact {
  const input = {
    language: 'Solidity',
    sources: { [SOURCE]: { content: readFileSync(SOURCE, 'utf8') } },
    settings: SETTINGS,
  };
  const found = (path: string) => ({ contents: readFileSync(resolve(path), 'utf8') });
  const output = JSON.parse(solc.compile(JSON.stringify(input), { import: found })) as CompilerOutput;
  const [first] = output.errors ?? [];
  if (first !== undefined) throw new Error(first.formattedMessage);
  const compiled = output.contracts[SOURCE]?.[CONTRACT];
  if (compiled === undefined) throw new Error(`the compiler made no ${CONTRACT}`);
  const { outputSelection: _, ...settings } = SETTINGS;
  return {
    contract: CONTRACT,
    compiler: solc.version(),
    settings,
    abi: compiled.abi,
    bytecode: `0x${compiled.evm.bytecode.object}`,
    deployedBytecode: `0x${compiled.evm.deployedBytecode.object}`,
  };
}
