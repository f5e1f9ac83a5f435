import type { ReactNode } from 'react';

interface PanelProps {
  readonly title: string;
  readonly aside?: ReactNode;
  readonly footer?: ReactNode;
  /** Room around what it holds; tables have none. */
  readonly padded?: boolean;
  readonly children: ReactNode;
}

/** A surface with one line around it and its name on top. */
export function Panel({ title, aside, footer, padded = false, children }: PanelProps) {
  return (
    <section className="panel">
      <header>
        <h2>{title}</h2>
        {aside}
      </header>
      {padded ? <div className="pad">{children}</div> : children}
      {footer !== undefined && <footer>{footer}</footer>}
    </section>
  );
}

type Tone = 'ok' | 'warn' | 'bad' | 'wait' | 'run' | 'none';

/** A state: a shape and a word. */
export function State({ tone, children }: { readonly tone: Tone; readonly children: ReactNode }) {
  return <span className={`state ${tone}`}>{children}</span>;
}

interface FactsProps {
  readonly rows: readonly (readonly [ReactNode, ReactNode] | null)[];
  /** The last row is the sum of those above it. */
  readonly summed?: boolean;
}

/** Names and values in two columns. */
export function FactList({ rows, summed = false }: FactsProps) {
  const shown = rows.filter((row) => row !== null);
  return (
    <dl className="facts">
      {shown.map(([name, value], index) => {
        const isSum = summed && index === shown.length - 1;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows of a list of facts stand still
          <div key={index} className={isSum ? 'sum' : undefined}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        );
      })}
    </dl>
  );
}
