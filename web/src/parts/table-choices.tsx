import { useEffect, useRef } from 'react';
import { usePreferences } from '../session/preferences.tsx';
import { useWords } from '../texts/words.tsx';
import { type Column, leftAfter } from './columns.ts';
import { Segments } from './field.tsx';

interface TableChoicesProps<Row> {
  readonly name: string;
  readonly columns: readonly Column<Row>[];
}

/** Which columns a table has, and how high the rows of every table are: on every device of its person. */
export function TableChoices<Row>({ name, columns }: TableChoicesProps<Row>) {
  const { t } = useWords();
  const { preferences, change } = usePreferences();
  const box = useRef<HTMLDetailsElement>(null);
  const left = preferences.columns[name] ?? [];
  const close = () => {
    if (box.current !== null) box.current.open = false;
  };
  useEffect(() => {
    const leave = ({ target }: Event) => {
      if (box.current?.contains(target as Node) === false) box.current.open = false;
    };
    window.addEventListener('pointerdown', leave);
    window.addEventListener('focusin', leave);
    return () => {
      window.removeEventListener('pointerdown', leave);
      window.removeEventListener('focusin', leave);
    };
  }, []);
  return (
    <details
      className="choices"
      ref={box}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || box.current?.open !== true) return;
        close();
        box.current.querySelector('summary')?.focus();
      }}
    >
      <summary className="button small-button">{t('table.choices')}</summary>
      <div className="choices-box stack">
        <fieldset className="plain">
          <legend>{t('table.columns')}</legend>
          {columns
            .filter(({ isFixed }) => isFixed !== true)
            .map((column) => (
              <label key={column.name} className="check">
                <input
                  type="checkbox"
                  checked={!left.includes(column.name)}
                  onChange={() => change({ columns: { [name]: leftAfter(columns, left, column.name) } })}
                />{' '}
                {column.title}
              </label>
            ))}
        </fieldset>
        <Segments
          label={t('table.density')}
          value={preferences.density}
          options={[
            { value: 'comfortable', label: t('table.comfortable') },
            { value: 'compact', label: t('table.compact') },
          ]}
          onChange={(density) => change({ density })}
        />
      </div>
    </details>
  );
}
