import { type Environment, parseSettings } from '../process/parse-settings.ts';

/** How a member runs in a process of its own. */
export interface Settings {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** What whoever asks has to show. */
  readonly token: string;
  /** The file in which the member keeps its seeds and what it has signed. Whoever has it is the member. */
  readonly memory: string;
}

const PORT_DEFAULT = 8_791;
const TOKEN_LENGTH_MIN = 32;

/** Reads VALIDATOR_HOST, VALIDATOR_PORT, CONSENSUS_MEMBER_TOKEN and VALIDATOR_MEMORY. */
export function readSettings(environment: Environment): Settings {
  return parseSettings(environment, (from) => {
    const token = from.required('CONSENSUS_MEMBER_TOKEN', 'what the sequencer shows');
    if (token !== '' && token.length < TOKEN_LENGTH_MIN)
      from.refuse(`CONSENSUS_MEMBER_TOKEN has fewer than ${TOKEN_LENGTH_MIN} characters`);
    return {
      host: from.text('VALIDATOR_HOST', '127.0.0.1'),
      port: from.port('VALIDATOR_PORT', PORT_DEFAULT),
      token,
      memory: from.required('VALIDATOR_MEMORY', 'the file of what it must never forget'),
    };
  });
}
