/// Makes copies of source files that compile without the Objective-C run time.
///
/// `@objc` and its kin go, `#keyPath` and `#selector` become the strings that they stand for, and `@NSManaged`
/// declarations get bodies. Every line stays where it is.
package struct Rewriter {
  let program: Program
  /// The files that are rewritten.
  let files: [SourceFile]
  var keys = PropertyKeys(prefix: "_managedKey_", isShared: true)
  var problems: [SourceProblem] = []
  /// The functions of copies that list what only their own file can name.
  var memberFunctions: [String] = []

  /// What a module is compiled from.
  package struct Output {
    /// The copies, in the order of the files.
    package var copies: [String]
    /// A file with the keys of properties and the registration of classes.
    package var registration: String
  }

  /// Rewrites the files of a module.
  /// - Parameter others: files of the module that are compiled as they are, or generated.
  /// - Throws: what cannot be rewritten.
  package static func rewrite(
    module: String, files: [SourceFile], others: [ParsedFile] = [],
    dependencies: [(name: String, load: () -> [ParsedFile])] = []
  ) throws(SourceProblems) -> Output {
    let program = Program(module: module, files: files.map(\.parsed) + others, dependencies: dependencies)
    var rewriter = Rewriter(program: program, files: files)
    let copies = files.map { rewriter.copy(of: $0) + rewriter.hiddenMembers(of: $0) }
    guard rewriter.problems.isEmpty else { throw SourceProblems(list: rewriter.problems) }
    let registration = Generator.registration(
      of: files.map(\.parsed), in: program, keys: rewriter.keys, memberFunctions: rewriter.memberFunctions)
    return Output(copies: copies, registration: registration)
  }

  private init(program: Program, files: [SourceFile]) {
    self.program = program
    self.files = files
  }

  private mutating func copy(of file: SourceFile) -> String {
    var edits = SourceEdits(file.bytes)
    for member in file.parsed.members { giveBody(to: member, in: file, &edits) }
    for line in file.parsed.localLines {
      report(
        "@NSManaged in a class that is declared in a function is not supported; move the class out of it", line, file)
    }
    rewriteTokens(file.tokens, file, &edits)
    for range in file.interpolations {
      var lexer = Lexer(Array(file.bytes[range]))
      lexer.run()
      // Strings in strings are left alone: what they interpolate would need names looked up in no way that differs.
      rewriteTokens(lexer.tokens.map { $0.moved(by: range.lowerBound) }, file, &edits)
    }
    // The compiler takes a file that is called main.swift for another one of that name.
    if file.parsed.name == "main.swift" { return edits.result }
    return "#sourceLocation(file: \(SourceName.quoted(file.path)), line: 1)\n" + edits.result
  }

  mutating func report(_ message: String, _ line: Int, _ file: SourceFile) {
    problems.append(SourceProblem(path: file.path, line: line, column: 1, message: message))
  }

  private mutating func rewriteTokens(_ tokens: [Token], _ file: SourceFile, _ edits: inout SourceEdits) {
    for index in tokens.indices.dropLast() {
      let name = tokens[index + 1]
      guard name.kind == .identifier, tokens[index].range.upperBound == name.range.lowerBound else { continue }
      if tokens[index].isPunctuation("@") {
        switch name.text {
        case "objc": removeAttribute(at: index, tokens, file, &edits)
        case "objcMembers", "NSManaged": edits.blank(tokens[index].range.lowerBound..<name.range.upperBound)
        default: break
        }
      } else if tokens[index].isPunctuation("#"), ["keyPath", "selector"].contains(name.text) {
        guard let end = closing(index + 2, tokens) else { continue }
        let range = tokens[index].range.lowerBound..<tokens[end].range.upperBound
        let inner = Array(tokens[(index + 3)..<end])
        edits.replace(range, with: name.text == "keyPath" ? keyPath(inner) : selector(inner, in: file))
      }
    }
  }

  /// The parenthesis that closes the one at an index.
  func closing(_ open: Int, _ tokens: [Token]) -> Int? {
    guard open < tokens.count, tokens[open].isPunctuation("(") else { return nil }
    var depth = 0
    for index in open..<tokens.count {
      if tokens[index].isPunctuation("(") { depth += 1 }
      if tokens[index].isPunctuation(")") { depth -= 1 }
      if depth == 0 { return index }
    }
    return nil
  }
}

extension Token {
  fileprivate func moved(by offset: Int) -> Token {
    var token = self
    token.range = (range.lowerBound + offset)..<(range.upperBound + offset)
    return token
  }
}
