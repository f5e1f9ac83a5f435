import { useState } from 'react';
import { beginSession } from '../session/session.ts';
import { ProblemNote } from './read-block.tsx';

interface SignInAgainProps {
  readonly title: string;
  readonly text: string;
  readonly act: string;
  readonly failed: string;
  /** Told before the person leaves, to keep what they wrote. */
  readonly onLeave?: (() => void) | undefined;
}

/** The person signs in once more, and comes back to the page at this address. */
export function SignInAgain({ title, text, act, failed, onLeave }: SignInAgainProps) {
  const [problem, setProblem] = useState<unknown>(null);
  const begin = async () => {
    try {
      onLeave?.();
      location.assign(await beginSession(location.pathname + location.search));
    } catch (error) {
      setProblem(error);
    }
  };
  return (
    <>
      <div className="note warn" role="alert">
        <strong>{title}</strong>
        <p>{text}</p>
      </div>
      {problem !== null && <ProblemNote title={failed} error={problem} />}
      <button type="button" className="button primary" onClick={() => void begin()}>
        {act}
      </button>
    </>
  );
}
