import type { EmbeddingChoice } from '../../../protocol/inference/wire.ts';
import type { Engines, InstalledModels } from '../engine/engines.ts';
import type { Failure } from '../failure.ts';
import type { ImageLimits } from '../images/decode-image.ts';
import type { ModelSettings } from '../settings.ts';
import type { GuardState } from './native-guard.ts';

export type Task =
  | { readonly kind: 'faces'; readonly embed: EmbeddingChoice }
  | { readonly kind: 'weapons' }
  | { readonly kind: 'enhance'; readonly fidelity: number; readonly upscale: 1 | 2 | 4 };

/** What every worker thread starts with. */
export interface WorkerTerms {
  /** Address of the module that exports `loadEngines`. */
  readonly engines: string;
  readonly models: ModelSettings;
  readonly limits: ImageLimits;
}

/** With what is its own. */
export interface WorkerData extends WorkerTerms {
  readonly guard: GuardState;
}

export type MessageToWorker =
  | { readonly type: 'run'; readonly id: number; readonly task: Task; readonly image: Uint8Array }
  | { readonly type: 'cancel'; readonly id: number };

export type MessageFromWorker =
  | { readonly type: 'ready'; readonly models: InstalledModels; readonly problems: Engines['problems'] }
  | { readonly type: 'progress'; readonly id: number; readonly progress: number }
  /** `body` is the answer as it goes out. */
  | { readonly type: 'done'; readonly id: number; readonly body: Uint8Array }
  | { readonly type: 'failed'; readonly id: number; readonly failure: Failure }
  /** A bug or a model that threw; `error` is for the log alone. */
  | { readonly type: 'threw'; readonly id: number; readonly error: string };
