import { Link } from '@tanstack/react-router';
import { usePageTitle } from '../parts/use-page-title.ts';
import { useWords } from '../texts/words.tsx';

export function SignedOutPage() {
  const { t } = useWords();
  usePageTitle(t('signed_out.title'));
  return (
    <div className="solo">
      <h1>{t('signed_out.head')}</h1>
      <p className="lede">{t('signed_out.text')}</p>
      <Link to="/sign-in" className="button primary large full">
        {t('sign_in.act')}
      </Link>
    </div>
  );
}
