import { useState } from 'react';
import { dataOf, exchange } from '../api/client.ts';
import { FactList } from '../parts/panel.tsx';
import { ActDialog, type ActHeaders } from './act-dialog.tsx';
import type { Overview } from './queries.ts';
import { useOperatorWords } from './use-operator-words.ts';

/** Halts all trading, or lifts that halt. */
export function HaltVenue({ trading }: { readonly trading: NonNullable<Overview['trading']> }) {
  const { o, many, whole } = useOperatorWords();
  const [opened, setOpened] = useState(false);
  const { venueHalted, markets, books } = trading;
  const open = Number(markets.open);
  const verb = venueHalted ? 'resume' : 'halt';
  const send = async (reason: string, header: ActHeaders) => {
    const init = { body: { reason }, params: { header } };
    await dataOf(
      venueHalted ? exchange.POST('/v1/operator/venue/resume', init) : exchange.POST('/v1/operator/venue/halt', init),
    );
    return o(venueHalted ? 'venue.resume_said' : 'venue.halt_said');
  };
  return (
    <>
      <button
        type="button"
        className={venueHalted ? 'button primary' : 'button danger'}
        onClick={() => setOpened(true)}
      >
        {o(venueHalted ? 'act.resume_venue' : 'act.halt_venue')}
      </button>
      {opened && (
        <ActDialog
          name={`${verb} venue`}
          title={o(venueHalted ? 'venue.resume_title' : 'venue.halt_title')}
          act={venueHalted ? many('venue.resume_act', open) : many('venue.halt_act', Number(books.liveOrders))}
          danger={!venueHalted}
          onClose={() => setOpened(false)}
          send={send}
        >
          {!venueHalted && (
            <FactList
              rows={[
                [o('venue.open'), whole(open)],
                [o('halt.orders'), whole(books.liveOrders)],
              ]}
            />
          )}
          <p className="dim small">{o(venueHalted ? 'venue.resume_text' : 'venue.halt_text')}</p>
        </ActDialog>
      )}
    </>
  );
}
