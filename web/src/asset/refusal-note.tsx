import { Link } from '@tanstack/react-router';
import { ApiProblem } from '../api/api-problem.ts';
import { isDecimal } from '../numbers/decimal.ts';
import { ProblemNote } from '../parts/read-block.tsx';
import { useWords } from '../texts/words.tsx';

interface RefusalProps {
  readonly error: unknown;
  readonly symbol: string;
}

/** Why an order would be, or was, refused: what happened in words, which rule, and what to do. */
export function RefusalNote({ error, symbol }: RefusalProps) {
  const words = useWords();
  const { t } = words;
  if (!(error instanceof ApiProblem) || error.status === 0 || error.status === 429 || error.status >= 500) {
    return <ProblemNote title={t('refusal.not_answered')} error={error} />;
  }
  const { title, text } = wordsOf(error, symbol, words);
  const rule = textOf(error.details.rule);
  return (
    <div className="note bad refusal" role="status">
      <strong>{title}</strong>
      <p>{text}</p>
      {error.code === 'INSUFFICIENT_BALANCE' && (
        <p>
          <Link to="/orders">{t('refusal.show_orders')}</Link>
        </p>
      )}
      {error.code === 'ACCREDITATION_REQUIRED' && (
        <p>
          <Link to="/account">{t('refusal.show_account')}</Link>
        </p>
      )}
      <p className="small dim">{rule === null ? error.code : t('refusal.rule', { code: error.code, rule })}</p>
    </div>
  );
}

function wordsOf(
  { code, message, details }: ApiProblem,
  symbol: string,
  words: ReturnType<typeof useWords>,
): { title: string; text: string } {
  const { t, exact, date } = words;
  const amount = (value: unknown) => (typeof value === 'string' && isDecimal(value) ? exact(value) : '');
  switch (code) {
    case 'INSUFFICIENT_BALANCE': {
      const facts = {
        available: amount(details.available),
        required: amount(details.required),
        asset: textOf(details.asset) ?? '',
      };
      return { title: t('refusal.balance', facts), text: t('refusal.balance_text', facts) };
    }
    case 'ACCREDITATION_REQUIRED': {
      const isVerified = details.rule === 'third_party_verified_buyer';
      return {
        title: t('refusal.accreditation', { symbol }),
        text: t(isVerified ? 'refusal.accreditation_506c' : 'refusal.accreditation_text'),
      };
    }
    case 'RESALE_RESTRICTED': {
      const end = textOf(details.restriction_end_date);
      return {
        title: t('refusal.resale'),
        text: end === null ? t('refusal.resale_text') : t('refusal.resale_until', { date: date(end) }),
      };
    }
    case 'ASSET_NOT_TRADEABLE':
      return { title: t('refusal.halted', { symbol }), text: textOf(details.remedy) ?? t('refusal.halted_text') };
    case 'INVESTMENT_LIMIT_EXCEEDED':
      return { title: t('refusal.limit'), text: textOf(details.remedy) ?? message };
    case 'FOK_NOT_FILLABLE':
      return { title: t('refusal.fok'), text: t('refusal.fok_text') };
    case 'POST_ONLY_WOULD_TAKE':
      return { title: t('refusal.post_only'), text: t('refusal.post_only_text') };
    default:
      return { title: t('refusal.other'), text: textOf(details.remedy) ?? message };
  }
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
