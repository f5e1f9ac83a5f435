import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { announce } from '../parts/announce.tsx';
import { useWords } from '../texts/words.tsx';
import { incidentQuery } from './incident-query.ts';

/** Under the bar of every page while an incident is open: the newest one, and where all of it stands. */
export function IncidentBar() {
  const { t } = useWords();
  const { data } = useQuery(incidentQuery);
  const title = data?.title;
  useEffect(() => {
    if (title !== undefined) announce(t('status.incident', { title }));
  }, [title, t]);
  if (title === undefined) return null;
  return (
    <div className="stale-bar wide">
      <span className="state warn">{t('status.incident', { title })}</span>
      <Link to="/status">{t('status.see')}</Link>
    </div>
  );
}
