import ExampleSupport
import Testing

@Suite struct ProgressBarTests {
  @Test func aTerminalHasOneLineThatIsDrawnAgain() {
    var text = ""
    let bar = ProgressBar(isTerminal: true) { text += $0 }
    for done in 0...30 { bar.show(done, of: 30) }
    bar.finish()
    #expect(text.split(separator: "\r\u{1B}[K").count == 31)
    #expect(text.hasSuffix("] 100%  30 of 30\n"))
    #expect(text.filter { $0 == "\n" }.count == 1)
  }

  @Test func elsewhereThereIsALineForEveryTenthPart() {
    var text = ""
    let bar = ProgressBar(isTerminal: false) { text += $0 }
    for done in 0...50 { bar.show(done, of: 50) }
    bar.finish()
    #expect(text.split(separator: "\n").count == 11)
    #expect(text.hasSuffix("[\(String(repeating: "#", count: 40))] 100%  50 of 50\n"))
  }

  @Test func onlyCoreDatasArgumentsAreLeftOut() {
    let left = LaunchArguments.removed(
      from: ["--count", "5", "-com.apple.CoreData.SQLDebug", "1", "--json", "-com.apple.CoreData.ConcurrencyDebug"])
    #expect(left == ["--count", "5", "--json"])
  }
}
