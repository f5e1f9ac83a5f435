import { useComputedColorScheme } from '@mantine/core';
import {
  CandlestickSeries,
  createChart,
  createSeriesMarkers,
  HistogramSeries,
  type IChartApi,
  type ISeriesApi,
  LineStyle,
  type SeriesMarker,
  type UTCTimestamp,
} from 'lightweight-charts';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { FeedMessage } from '../../../protocol/feeds/server-message.ts';
import type { Fill, Order } from '../api/queries.ts';
import { useTopic } from '../feed/feed.ts';
import { toPixels } from '../numbers/decimal.ts';
import { useWords } from '../texts/words.tsx';
import { readTime } from '../time/show-time.ts';
import type { Bar } from './bar.ts';

interface CandlesProps {
  readonly bars: readonly Bar[];
  readonly decimals: number;
  readonly orders: readonly Order[];
  readonly fills: readonly Fill[];
  readonly symbol: string | null;
  readonly interval: string;
}

interface Drawn {
  readonly chart: IChartApi;
  readonly candles: ISeriesApi<'Candlestick'>;
  readonly volume: ISeriesApi<'Histogram'>;
}

/** Candles over their volume, with own open orders as lines and own fills as marks. */
export function Candles({ bars, decimals, orders, fills, symbol, interval }: CandlesProps) {
  const { t, number, exact, locale } = useWords();
  const box = useRef<HTMLDivElement>(null);
  const [drawn, setDrawn] = useState<Drawn | null>(null);
  /** A chart that is removed takes what stands on it along: nothing may be taken off it afterwards. */
  const isThere = useRef(false);
  const [at, setAt] = useState<Bar | null>(null);
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false });

  useEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const chart = createChart(element, {
      autoSize: true,
      // The attribution that its licence asks for stands on the page About: the library would write a style tag for its own.
      layout: { attributionLogo: false, background: { color: 'transparent' }, fontSize: 12 },
      rightPriceScale: { borderVisible: false, scaleMargins: { top: 0.12, bottom: 0.24 } },
      timeScale: { borderVisible: false, timeVisible: true, secondsVisible: false, rightOffset: 2, maxBarSpacing: 24 },
      handleScroll: { mouseWheel: false },
    });
    const candles = chart.addSeries(CandlestickSeries, {});
    const volume = chart.addSeries(HistogramSeries, {
      priceScaleId: 'volume',
      priceFormat: { type: 'volume' },
      lastValueVisible: false,
      priceLineVisible: false,
    });
    volume.priceScale().applyOptions({ scaleMargins: { top: 0.82, bottom: 0 } });
    setDrawn({ chart, candles, volume });
    isThere.current = true;
    return () => {
      isThere.current = false;
      setDrawn(null);
      chart.remove();
    };
  }, []);

  useEffect(() => {
    if (drawn === null || box.current === null) return;
    // The scheme is named so that the colours are read again with it.
    const color = coloursOf(box.current, scheme);
    drawn.chart.applyOptions({
      layout: { textColor: color('--text-3'), fontFamily: color('--font') },
      grid: { vertLines: { color: color('--line') }, horzLines: { color: color('--line') } },
      localization: { locale },
    });
    drawn.candles.applyOptions({
      upColor: color('--surface'),
      borderUpColor: color('--up'),
      wickUpColor: color('--up'),
      downColor: color('--down'),
      borderDownColor: color('--down'),
      wickDownColor: color('--down'),
      priceFormat: { type: 'price', precision: decimals, minMove: 10 ** -decimals },
      priceLineColor: color('--text-2'),
    });
    const [up, down] = [color('--up-depth'), color('--down-depth')];
    drawn.candles.setData(bars.map((bar) => ({ time: secondsOf(bar.time), ...pixelsOf(bar) })));
    drawn.volume.setData(
      bars.map((bar) => ({
        time: secondsOf(bar.time),
        value: toPixels(bar.volume),
        color: toPixels(bar.close) >= toPixels(bar.open) ? up : down,
      })),
    );
  }, [drawn, bars, decimals, scheme, locale]);

  useEffect(() => {
    drawn?.chart.timeScale().fitContent();
  }, [drawn]);

  useEffect(() => {
    if (drawn === null || box.current === null) return undefined;
    const accent = coloursOf(box.current, scheme)('--accent');
    const lines = orders.flatMap(({ price, side }) =>
      price === null
        ? []
        : [
            drawn.candles.createPriceLine({
              price: toPixels(price),
              color: accent,
              lineStyle: LineStyle.Dashed,
              lineWidth: 1,
              title: t(side === 'buy' ? 'chart.own_buy' : 'chart.own_sell'),
            }),
          ],
    );
    return () => {
      if (isThere.current) for (const line of lines) drawn.candles.removePriceLine(line);
    };
  }, [drawn, orders, scheme, t]);

  useEffect(() => {
    if (drawn === null || box.current === null) return undefined;
    const color = coloursOf(box.current, scheme)('--accent');
    const first = bars[0];
    if (first === undefined) return undefined;
    const marks = fills
      .filter(({ timestamp, status }) => status !== 'bust' && Number(timestamp) >= readTime(first.time).getTime())
      .map(
        (fill): SeriesMarker<UTCTimestamp> => ({
          time: secondsOf(barOf(bars, Number(fill.timestamp)).time),
          position: fill.side === 'buy' ? 'belowBar' : 'aboveBar',
          shape: fill.side === 'buy' ? 'arrowUp' : 'arrowDown',
          color,
          text: t(fill.side === 'buy' ? 'chart.own_buy' : 'chart.own_sell'),
        }),
      )
      .sort((a, b) => a.time - b.time);
    const markers = createSeriesMarkers(drawn.candles, marks as never);
    return () => {
      if (isThere.current) markers.detach();
    };
  }, [drawn, fills, bars, scheme, t]);

  useEffect(() => {
    if (drawn === null) return undefined;
    const byTime = new Map(bars.map((bar) => [secondsOf(bar.time) as number, bar]));
    const moved: Parameters<IChartApi['subscribeCrosshairMove']>[0] = ({ time }) =>
      setAt(byTime.get(time as number) ?? null);
    drawn.chart.subscribeCrosshairMove(moved);
    return () => {
      if (isThere.current) drawn.chart.unsubscribeCrosshairMove(moved);
    };
  }, [drawn, bars]);

  const listener = useCallback(
    (message: FeedMessage) => {
      if (message.type !== 'candle' || drawn === null || !isThere.current) return;
      const time = Math.floor(message.time / 1_000) as UTCTimestamp;
      const { open, high, low, close, volume } = message;
      try {
        drawn.candles.update({ time, open, high, low, close });
        const color =
          box.current === null
            ? {}
            : { color: coloursOf(box.current, '')(close >= open ? '--up-depth' : '--down-depth') };
        drawn.volume.update({ time, value: volume, ...color });
      } catch {
        // A bar before the last one: the next reading of the bars has it.
      }
    },
    [drawn],
  );
  useTopic(symbol === null ? null : { channel: 'candles', symbol, interval }, listener);

  const bar = at ?? bars.at(-1);
  return (
    <>
      {bar !== undefined && (
        <p className="ohlc">
          <span>{t('chart.o', { value: number(bar.open, decimals) })}</span>
          <span>{t('chart.h', { value: number(bar.high, decimals) })}</span>
          <span>{t('chart.l', { value: number(bar.low, decimals) })}</span>
          <span>{t('chart.c', { value: number(bar.close, decimals) })}</span>
          <span>{t('chart.v', { value: exact(bar.volume) })}</span>
        </p>
      )}
      <div className="candles" ref={box} role="img" aria-label={t('chart.picture', { n: bars.length })} />
    </>
  );
}

function pixelsOf({ open, high, low, close }: Bar) {
  return { open: toPixels(open), high: toPixels(high), low: toPixels(low), close: toPixels(close) };
}

function secondsOf(timestamp: string): UTCTimestamp {
  return Math.floor(readTime(timestamp).getTime() / 1_000) as UTCTimestamp;
}

function barOf(bars: readonly Bar[], time: number): Bar {
  const before = bars.filter((bar) => readTime(bar.time).getTime() <= time);
  return (before.at(-1) ?? bars[0]) as Bar;
}

/** Our tokens as the canvas needs them: it knows neither variables nor `light-dark()`. */
function coloursOf(element: HTMLElement, _scheme: string): (token: string) => string {
  const probe = document.createElement('span');
  element.append(probe);
  const colours = new Map<string, string>();
  for (const token of [
    '--text-2',
    '--text-3',
    '--line',
    '--surface',
    '--up',
    '--down',
    '--up-depth',
    '--down-depth',
    '--accent',
  ]) {
    probe.style.color = `var(${token})`;
    colours.set(token, getComputedStyle(probe).color);
  }
  const font = getComputedStyle(element).fontFamily;
  probe.remove();
  return (token) => (token === '--font' ? font : (colours.get(token) ?? 'currentColor'));
}
