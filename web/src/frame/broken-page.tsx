import type { ErrorComponentProps } from '@tanstack/react-router';
import { ApiProblem } from '../api/api-problem.ts';
import { ProblemNote } from '../parts/read-block.tsx';
import { useWords } from '../texts/words.tsx';
import { MissingPage } from './missing-page.tsx';

export function BrokenPage({ error, reset }: ErrorComponentProps) {
  const { t } = useWords();
  if (error instanceof ApiProblem && error.status === 404) return <MissingPage />;
  return (
    <div className="page">
      <h1>{t('broken.title')}</h1>
      <ProblemNote title={t('broken.text')} error={error} onRetry={reset} />
    </div>
  );
}
