import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type Eligibility, eligibilityQuery } from '../api/own-queries.ts';
import { sign } from '../numbers/decimal.ts';
import { FactList, State } from '../parts/panel.tsx';
import { ReadBlock } from '../parts/read-block.tsx';
import { ownEn } from '../texts/own-en.ts';
import type { TextKey } from '../texts/texts.ts';
import { useWords, type Words } from '../texts/words.tsx';

type Rule = Eligibility['buy']['rules'][number];

/** One sentence: what the asset means for the reader. */
export function MaySentence({ assetId }: { readonly assetId: string }) {
  const words = useWords();
  const { data } = useQuery(eligibilityQuery(assetId));
  if (data === undefined) return null;
  const { tone, text } = sentenceOf(data, words);
  return (
    <p className="may">
      <State tone={tone}>{text}</State>
    </p>
  );
}

function sentenceOf({ buy, sell }: Eligibility, { t, exact }: Words): { tone: 'ok' | 'warn'; text: string } {
  const why = buy.rules[0] === undefined ? '' : ` ${wordsOf(buy.rules[0], t)}`;
  if (!buy.allowed) return { tone: 'warn', text: t(sell.allowed ? 'may.sell_only' : 'may.none') + why };
  if (sign(sell.restrictedQuantity) > 0) {
    const facts = { free: exact(sell.freeQuantity), restricted: exact(sell.restrictedQuantity) };
    return { tone: 'ok', text: `${t('may.buy_only')} ${t('may.sell_part', facts)}` };
  }
  return { tone: 'ok', text: t(sell.allowed ? 'may.both' : 'may.buy_only') };
}

/** All of it: each rule that stands against either side, with what helps, and how much is free to sell. */
export function MayList({
  assetId,
  symbol,
  more,
}: {
  readonly assetId: string;
  readonly symbol: string;
  readonly more: readonly (readonly [ReactNode, ReactNode])[];
}) {
  const words = useWords();
  const { t, exact, number, date, dateTime } = words;
  const eligibility = useQuery(eligibilityQuery(assetId));
  return (
    <ReadBlock query={eligibility} failed={t('may.failed')} rows={4}>
      {({ buy, sell, regCf, opensAt }) => (
        <div className="pad">
          <FactList
            rows={[
              [t('may.buy'), <SideState key="buy" allowed={buy.allowed} />],
              [t('may.sell'), <SideState key="sell" allowed={sell.allowed} />],
              [t('may.free'), `${exact(sell.freeQuantity)} ${symbol}`],
              sign(sell.restrictedQuantity) === 0
                ? null
                : [t('may.restricted'), `${exact(sell.restrictedQuantity)} ${symbol}`],
              ...sell.next.map(
                (end) =>
                  [
                    t('may.next'),
                    t('may.next_value', { quantity: exact(end.quantity), date: date(end.date) }),
                  ] as const,
              ),
              regCf === null
                ? null
                : [
                    t('may.reg_cf'),
                    t('may.reg_cf_value', { available: number(regCf.available), limit: number(regCf.limit) }),
                  ],
              ...more,
            ]}
          />
          {opensAt !== null && <p className="note">{t('may.opens', { time: dateTime(opensAt) })}</p>}
          {[...new Map([...buy.rules, ...sell.rules].map((rule) => [rule.rule, rule])).values()].map((rule) => (
            <div className="note warn" key={rule.rule}>
              <strong>{wordsOf(rule, t)}</strong>
              {rule.until !== null && <p>{t('may.until', { date: dateTime(rule.until) })}</p>}
              <p className="small dim">{t('may.source', { source: rule.source })}</p>
            </div>
          ))}
        </div>
      )}
    </ReadBlock>
  );
}

function SideState({ allowed }: { readonly allowed: boolean }) {
  const { t } = useWords();
  return <State tone={allowed ? 'ok' : 'warn'}>{t(allowed ? 'may.yes' : 'may.no')}</State>;
}

/** A rule in the reader's language; one that we have no words for says what the venue says. */
function wordsOf({ rule, remedy }: Rule, t: Words['t']): string {
  const key = `rule.${rule}`;
  return key in ownEn ? t(key as TextKey) : remedy;
}
