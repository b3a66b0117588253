package dev.pointsman.perf.bench;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Line2D;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.text.NumberFormat;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import org.jfree.chart.ChartUtils;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.LogAxis;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.axis.NumberTickUnit;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.XYLineAndShapeRenderer;
import org.jfree.chart.ui.RectangleInsets;
import org.jfree.data.xy.XYSeries;
import org.jfree.data.xy.XYSeriesCollection;

/// Lines in one pair of axes, the upright one logarithmic.
///
/// @param name of its file, without the ending
record Plot(String name, String title, Axes axes, List<Line> lines) {
    private static final int WIDTH = 900;
    private static final int HEIGHT = 460;

    private static final Font TITLE = new Font(Font.SANS_SERIF, Font.BOLD, 16);
    private static final Font TEXT = new Font(Font.SANS_SERIF, Font.PLAIN, 13);
    private static final Color GRID = new Color(0xdd, 0xdd, 0xdd);

    /// Those of Okabe and Ito, which people with any colour vision tell apart.
    private static final Map<String, Color> COLOURS =
            Map.of(
                    "nftables", new Color(0x00, 0x72, 0xb2),
                    "iptables", new Color(0xd5, 0x5e, 0x00),
                    "ipvs", new Color(0x00, 0x9e, 0x73));

    enum Scale {
        PERCENT,
        LOGARITHMIC
    }

    /// @param across what the level one says
    /// @param upright unit of the other
    record Axes(String across, Scale scale, String upright) {}

    /// Whose line it is: a colour for each mode, solid for Pointsman and dashed for others.
    record Who(String mode, String proxy) implements Comparable<Who> {
        private static final Comparator<Who> ORDER =
                Comparator.comparing(Who::mode).thenComparing(Who::proxy);

        static Who of(Cell cell) {
            return new Who(cell.mode(), cell.proxy());
        }

        @Override
        public int compareTo(Who other) {
            return ORDER.compare(this, other);
        }

        private BasicStroke stroke() {
            return proxy.equals(Proxy.POINTSMAN)
                    ? new BasicStroke(3f)
                    : new BasicStroke(
                            2f,
                            BasicStroke.CAP_ROUND,
                            BasicStroke.JOIN_ROUND,
                            1f,
                            new float[] {7f, 5f},
                            0f);
        }
    }

    /// @param remark for the legend, behind whose it is
    record Line(Who who, String remark, SortedMap<Double, Double> points) {
        private String label() {
            return who.mode() + ", " + who.proxy() + remark;
        }
    }

    Plot {
        lines = List.copyOf(lines);
    }

    byte[] png() throws IOException {
        XYSeriesCollection data = new XYSeriesCollection();
        XYLineAndShapeRenderer renderer = new XYLineAndShapeRenderer();
        for (Line line : lines) {
            XYSeries series = new XYSeries(line.label());
            line.points().forEach(series::add);
            int index = data.getSeriesCount();
            data.addSeries(series);
            renderer.setSeriesPaint(
                    index, COLOURS.getOrDefault(line.who().mode(), Color.DARK_GRAY));
            renderer.setSeriesStroke(index, line.who().stroke());
            renderer.setSeriesShape(index, new Ellipse2D.Double(-4, -4, 8, 8));
        }
        renderer.setDrawSeriesLineAsPath(true);
        renderer.setLegendLine(new Line2D.Double(-20, 0, 20, 0));
        XYPlot plot = new XYPlot(data, across(), logarithmic(axes.upright()), renderer);
        plot.setBackgroundPaint(Color.WHITE);
        plot.setDomainGridlinePaint(GRID);
        plot.setRangeGridlinePaint(GRID);
        JFreeChart chart = new JFreeChart(title, TITLE, plot, true);
        chart.setBackgroundPaint(Color.WHITE);
        // Half of the last number stands beyond the axis.
        chart.setPadding(new RectangleInsets(4, 4, 4, 20));
        chart.getLegend().setItemFont(TEXT);
        ByteArrayOutputStream png = new ByteArrayOutputStream();
        ChartUtils.writeChartAsPNG(png, chart, WIDTH, HEIGHT);
        return png.toByteArray();
    }

    private ValueAxis across() {
        return switch (axes.scale()) {
            case LOGARITHMIC -> logarithmic(axes.across());
            case PERCENT -> {
                NumberAxis axis = new NumberAxis(axes.across());
                axis.setRange(0, 100);
                yield inText(axis);
            }
        };
    }

    /// In powers of two, which are round numbers over one decade as well as over six.
    private static ValueAxis logarithmic(String label) {
        LogAxis axis = new LogAxis(label);
        axis.setBase(2);
        axis.setTickUnit(new NumberTickUnit(1));
        NumberFormat plain = NumberFormat.getNumberInstance(Locale.ROOT);
        plain.setMaximumFractionDigits(3);
        axis.setNumberFormatOverride(plain);
        return inText(axis);
    }

    private static ValueAxis inText(ValueAxis axis) {
        axis.setLabelFont(TEXT);
        axis.setTickLabelFont(TEXT);
        return axis;
    }
}
