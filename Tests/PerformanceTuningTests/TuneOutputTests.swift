import CommandSupport
import Testing

@Suite struct TuneOutputTests {
  @Test func tableIsAligned() {
    var table = TextTable(columns: [.init("Test"), .init("Rows", .right), .init("Result")])
    table.rows = [["One", "7", "fine"], ["Another", "12,345", ""]]
    #expect(
      table.text == """
        Test       Rows  Result
        -------  ------  ------
        One           7  fine
        Another  12,345
        """)
  }

  @Test(arguments: [(0, "0"), (999, "999"), (1_000, "1,000"), (-1_234_567, "-1,234,567")])
  func thousandsAreGrouped(number: Int, text: String) {
    #expect(FigureText.grouped(number) == text)
  }

  @Test func progressWithoutATerminalIsALineForEveryTenthPart() {
    var lines = ""
    let progress = ProgressLine(isTerminal: false) { lines += $0 }
    for done in 1...50 { progress.show("Loading selfies", done, of: 50) }
    progress.finish()
    #expect(lines.split(separator: "\n").count == 10)
    #expect(lines.hasPrefix("Loading selfies: 5 of 50\n"))
    #expect(lines.hasSuffix("Loading selfies: 50 of 50\n"))
  }

  @Test func progressOnATerminalStaysOnOneLine() {
    var text = ""
    let progress = ProgressLine(isTerminal: true) { text += $0 }
    for done in 1...50 { progress.show("Loading selfies", done, of: 50) }
    progress.finish()
    #expect(text.hasPrefix("\r\u{1B}[KLoading selfies: 1 of 50"))
    #expect(text.hasSuffix("Loading selfies: 50 of 50\n"))
    #expect(text.filter { $0 == "\n" }.count == 1)
  }
}
