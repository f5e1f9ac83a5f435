import { useState } from 'react';
import { ApiProblem } from '../../api/api-problem.ts';
import { ProblemNote } from '../../parts/read-block.tsx';
import { beginSession } from '../../session/session.ts';
import { useWords } from '../../texts/words.tsx';
import { ApprovalLink } from './links.tsx';
import { approvalAsked } from './problems.ts';

interface ActProblemProps {
  readonly title: string;
  readonly error: unknown;
}

/** Why an act of an operator was not done, with the way on: a factor shown anew, or a second operator. */
export function ActProblem({ title, error }: ActProblemProps) {
  const { t } = useWords();
  const approval = approvalAsked(error);
  if (error instanceof ApiProblem && error.code === 'STEP_UP_REQUIRED') return <StepUp />;
  if (approval === null) return <ProblemNote title={title} error={error} />;
  return (
    <div className="problem" role="status">
      <div className="note">
        <strong>{t('act.needs_second')}</strong>
        <p>{t('act.needs_second_text')}</p>
        <p>
          <ApprovalLink id={approval}>{t('act.to_approval')}</ApprovalLink>
        </p>
      </div>
    </div>
  );
}

/** What is looked at or decided on here asks for a sign-in of the last minutes; it leads back to this page. */
export function StepUp() {
  const { t } = useWords();
  const [problem, setProblem] = useState<unknown>(null);
  const signIn = async () => {
    try {
      const { pathname, search } = window.location;
      window.location.assign(await beginSession(pathname + search));
    } catch (error) {
      setProblem(error);
    }
  };
  return (
    <div className="problem" role="alert">
      <div className="note warn">
        <strong>{t('act.step_up')}</strong>
        <p>{t('act.step_up_text')}</p>
      </div>
      <button type="button" className="button primary" onClick={() => void signIn()}>
        {t('act.step_up_do')}
      </button>
      {problem !== null && <ProblemNote title={t('act.step_up_failed')} error={problem} />}
    </div>
  );
}
