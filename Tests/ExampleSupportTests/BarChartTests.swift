import ExampleSupport
import Testing

@Suite struct BarChartTests {
  private let chart = BarChart(
    title: "Two & <three>", names: ["one", "longer"],
    groups: [
      .init("Time", [1, 4]) { "\($0) s" }, .init("Nothing", [0, nil]) { "\($0) s" },
    ])

  @Test func eachGroupHasItsOwnLongestBar() {
    #expect(
      chart.text == """
        Time
          one     \(String(repeating: "#", count: 10)) 1.0 s
          longer  \(String(repeating: "#", count: 40)) 4.0 s

        Nothing
          one     0.0 s
          longer  -
        """)
  }

  @Test func thePictureHasABarForEachValueAndIsEscaped() {
    let svg = chart.svg
    #expect(svg.matches(of: /<rect class="bar"/).count == 3)
    #expect(svg.contains("width=\"420.0\"") && svg.contains("width=\"105.0\""))
    #expect(svg.contains("aria-label=\"Two &amp; &lt;three>\"") && !svg.contains("<three>"))
  }
}
