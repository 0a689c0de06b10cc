import { useEffect, useRef, useState } from "react";
import uPlot from "uplot";

import type { Figures } from "../operations.ts";
import { bytes } from "../words.ts";

type Figure = Figures[number];

interface Line {
  title: string;
  of: (figure: Figure) => number;
  colour: "--accent" | "--bad" | "--blue" | "--ochre";
}

interface ChartProps {
  title: string;
  /** The steps that the axis may have. */
  steps?: number[];
  lines: Line[];
  show: (value: number) => string;
}

const plain = (value: number) => value.toLocaleString("en", { maximumFractionDigits: value < 10 ? 1 : 0 });
const milliseconds = (seconds: number) => (seconds < 1 ? `${plain(seconds * 1000)} ms` : `${plain(seconds)} s`);

const whole = Array.from({ length: 10 }, (_, i) => [1, 2, 5].map((n) => n * 10 ** i)).flat();
const binary = Array.from({ length: 44 }, (_, i) => 2 ** i);

const charts: ChartProps[] = [
  {
    title: "Operations", show: plain, steps: whole,
    lines: [{ title: "A minute", of: ({ operations }) => operations, colour: "--accent" }],
  },
  {
    title: "Errors", show: plain, steps: whole,
    lines: [{ title: "A minute", of: ({ errors }) => errors, colour: "--bad" }],
  },
  {
    title: "Time to answer", show: milliseconds,
    lines: [{ title: "99 of 100", of: ({ p99 }) => p99, colour: "--ochre" }, { title: "Median", of: ({ p50 }) => p50, colour: "--accent" }],
  },
  {
    title: "Connections", show: plain, steps: whole,
    lines: [{ title: "Subscriptions", of: ({ subscriptions }) => subscriptions, colour: "--blue" }, { title: "Sockets", of: ({ sockets }) => sockets, colour: "--accent" }],
  },
  { title: "Memory", show: bytes, steps: binary, lines: [{ title: "In use", of: ({ memory }) => memory, colour: "--accent" }] },
  { title: "Undelivered events", show: plain, steps: whole, lines: [{ title: "Waiting", of: ({ undelivered }) => undelivered, colour: "--ochre" }] },
];

/** The last hour. */
export function Charts({ figures }: { figures: Figures }) {
  const dark = useDark();
  return <div className="charts">{charts.map((chart) => <Chart key={`${chart.title} ${dark}`} {...chart} figures={figures} />)}</div>;
}

function Chart({ title, lines, show, steps, figures }: ChartProps & { figures: Figures }) {
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(undefined);
  const data = [figures.map(({ at }) => Date.parse(at) / 1000), ...lines.map(({ of }) => figures.map(of))] as uPlot.AlignedData;
  const [hover, setHover] = useState<number | null>(null);

  useEffect(() => {
    const element = box.current!;
    const colour = (name: string) => {
      element.style.color = `var(${name})`; // resolves light-dark()
      const { color } = getComputedStyle(element);
      element.style.color = "";
      return color;
    };
    const axis = { stroke: colour("--dim"), grid: { stroke: colour("--line"), width: 1 }, ticks: { show: false }, font: `11px ${getComputedStyle(element).fontFamily}` };
    plot.current = new uPlot({
      width: element.clientWidth, height: 150, legend: { show: false }, padding: [8, 18, 0, 0],
      cursor: { y: false, points: { size: 6 } },
      hooks: { setCursor: [({ cursor }) => setHover(cursor.idx ?? null)] },
      scales: { y: { range: (_, __, high) => [0, high > 0 ? high * 1.1 : 1] } },
      axes: [
        { ...axis, grid: { show: false }, size: 24, incrs: [60, 120, 300, 600, 900], values: (_, times) => times.map((time) => new Date(time * 1000).toLocaleTimeString("en", { hour: "2-digit", minute: "2-digit", hour12: false })) },
        { ...axis, size: 56, ...(steps && { incrs: steps }), values: (_, values) => values.map(show) },
      ],
      series: [{}, ...lines.map((line) => ({ stroke: colour(line.colour), fill: lines.length === 1 ? colour(line.colour).replace("rgb(", "rgba(").replace(")", ", 0.12)") : "transparent", width: 1.5, points: { show: false } }))],
    }, data, element);
    const resize = new ResizeObserver(() => plot.current?.setSize({ width: element.clientWidth, height: 150 }));
    resize.observe(element);
    return () => {
      resize.disconnect();
      plot.current?.destroy();
    };
  }, []);
  useEffect(() => plot.current?.setData(data), [figures]);

  const shown = figures[hover ?? figures.length - 1]!;
  return (
    <figure className="chart" aria-label={`${title}, the last hour`}>
      <figcaption>
        <h2>{title}</h2>
        {lines.map(({ title: name, of, colour }) => (
          <span key={name}><i style={{ background: `var(${colour})` }} />{name} <b>{show(of(shown))}</b></span>
        ))}
      </figcaption>
      <div ref={box} aria-hidden="true" />
      <p className="hidden">
        {lines.map(({ title: name, of }) => {
          const all = figures.map(of);
          return `${name}: now ${show(all.at(-1)!)}, lowest ${show(Math.min(...all))}, highest ${show(Math.max(...all))}.`;
        }).join(" ")}
      </p>
    </figure>
  );
}

function useDark(): boolean {
  const [dark, setDark] = useState(() => matchMedia("(prefers-color-scheme: dark)").matches);
  useEffect(() => {
    const query = matchMedia("(prefers-color-scheme: dark)");
    const change = () => setDark(query.matches);
    query.addEventListener("change", change);
    return () => query.removeEventListener("change", change);
  }, []);
  return dark;
}
