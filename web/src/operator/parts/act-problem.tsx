import { ApiProblem } from '../../api/api-problem.ts';
import { ProblemNote } from '../../parts/read-block.tsx';
import { StepUp } from '../act-dialog.tsx';
import { approvalAskedBy } from '../act-state.ts';
import { useOperatorWords } from '../use-operator-words.ts';
import { ApprovalLink } from './links.tsx';

interface ActProblemProps {
  readonly title: string;
  readonly error: unknown;
}

/** Why an act of an operator was not done, with the way on: a factor shown anew, or a second operator. */
export function ActProblem({ title, error }: ActProblemProps) {
  const { o } = useOperatorWords();
  const approval = approvalAskedBy(error);
  if (error instanceof ApiProblem && error.code === 'STEP_UP_REQUIRED') return <StepUp problem={error} />;
  if (approval === null) return <ProblemNote title={title} error={error} />;
  return (
    <div className="problem" role="status">
      <div className="note">
        <strong>{o('act.needs_second')}</strong>
        <p>{o('act.needs_second_text')}</p>
        <p>
          <ApprovalLink id={approval}>{o('act.to_approval')}</ApprovalLink>
        </p>
      </div>
    </div>
  );
}
