import ModelCompilerCore
import Testing

@Suite struct LexerTests {
  private func words(_ source: String) -> [String] { Lexer.tokens(of: source).map(\.text) }

  @Test func commentsNestAndAreLeftOut() {
    #expect(words("a /* b /* c */ d */ e // f\ng") == ["a", "e", "g"])
  }

  @Test func stringsHideWhatLooksLikeSource() {
    #expect(words(#"a = "}\" { \(f("}", [1]) { $0 }) }" ; b"#) == ["a", "=", "", ";", "b"])
    #expect(words("a = \"\"\"\n } \"quoted\" \\(\"{\")\n \"\"\"\nb") == ["a", "=", "", "b"])
    #expect(words(##"a = #"\("{" \#("}")"# b"##) == ["a", "=", "", "b"])
  }

  @Test func regularExpressionsHideTheirBraces() {
    #expect(words("let r = /[^\"}]{2}/\nb") == ["let", "r", "=", "", "b"])
    #expect(words("let r = #/ } \" /#\nb") == ["let", "r", "=", "", "b"])
    #expect(words("x = a / b / c") == ["x", "=", "a", "/", "b", "/", "c"])
  }

  @Test func backticksMakeNames() {
    let tokens = Lexer.tokens(of: "`class` `hello world` größe")
    #expect(tokens.map(\.text) == ["class", "hello world", "größe"])
    #expect(tokens.map(\.kind) == [.escapedIdentifier, .escapedIdentifier, .identifier])
  }

  @Test func conditionsKeepTheirText() {
    let tokens = Lexer.tokens(of: "#if os(Linux) && DEBUG // why\n#else\n#endif")
    #expect(tokens.map(\.kind) == [.directive(.if), .directive(.else), .directive(.endif)])
    #expect(tokens[0].text == "os(Linux) && DEBUG")
  }

  @Test func linesAreCounted() {
    #expect(Lexer.tokens(of: "a\n/*\n*/ b \"\"\"\n\n\"\"\"\nc").map(\.line) == [1, 3, 3, 6])
  }

  @Test(arguments: ["\"", "`", "/*", "#\"", "\"\\(", "\"\"\"", "#/", "@", "#if", "\\", "\"\\"])
  func brokenSourceEnds(source: String) { _ = Parser.parse("class A { " + source, path: "A.swift") }
}
