import { Link } from '@tanstack/react-router';
import { useWords } from '../texts/words.tsx';

export function MissingPage() {
  const { t } = useWords();
  return (
    <div className="page">
      <h1>{t('missing.title')}</h1>
      <p className="lede">{t('missing.text')}</p>
      <p>
        <Link to="/" className="button">
          {t('missing.home')}
        </Link>
      </p>
    </div>
  );
}
