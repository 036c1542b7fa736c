import Foundation
import OpenCocoaFoundation
import Testing

/// The one table of functions, for those who ask it.
@Suite struct ExpressionFunctionTests {
  @Test func theGuideListsThem() throws {
    let guide = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Guides/CocoaFoundation.md")
    let text = try String(contentsOf: guide, encoding: .utf8)
    let rows = text.split(separator: "\n").filter { $0.hasPrefix("| `") }.map(String.init)
    #expect(rows == ExpressionFunction.allCases.map { "| `\($0.selector)` | \($0.words) |" })
  }

  @Test(arguments: ExpressionFunction.allCases) func formatsCallThemByTheirNames(_ function: ExpressionFunction) throws
  {
    let name = String(function.selector.prefix { $0 != ":" })
    let count = function.isAggregate ? 1 : function.selector.count { $0 == ":" }
    #expect(ExpressionFunction(named: name, argumentCount: count) == function)
    #expect(ExpressionFunction(named: name.uppercased(), argumentCount: count) == function)
    let arguments = (0..<count).map { "a\($0)" }.joined(separator: ", ")
    let expression = try NSExpression(parsing: "\(name)(\(arguments))", arguments: [])
    #expect(expression.function == function.selector && expression.arguments?.count == count)
  }
}
