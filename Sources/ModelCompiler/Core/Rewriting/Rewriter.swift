/// Makes copies of source files that compile without the Objective-C runtime.
///
/// `@objc` and similar attributes are removed, `#keyPath` and `#selector` become strings, and `@NSManaged` declarations
/// get bodies. Initialisers that the framework requires get the word `required`, overrides move out of extensions, and
/// casts to fetch requests become operators. Every line keeps its number, or has a directive with its origin.
package struct Rewriter {
  let program: Program
  /// The files that are rewritten.
  let files: [SourceFile]
  var edits: [SourceEdits]
  var keys = PropertyKeys(prefix: "_managedKey_", isShared: true)
  var problems: [SourceProblem] = []
  /// The functions in the copies that list members which only their own file can name.
  var memberFunctions: [String] = []
  var changes: [SourceChange] = []
  /// Imports that the copies need in addition to their own, by the index of the file.
  var imports: [Int: [ImportDeclaration]] = [:]
  /// The variables with the module's bundle that default arguments of public functions name, by the index of the file.
  var bundleVariables: [Int: String] = [:]

  /// The sources from which a module is compiled.
  package struct Output {
    /// The copies, in the order of the files.
    package var copies: [String]
    /// A file with the keys of properties and the registration of classes.
    package var registration: String
    /// The changes that were made, and the places that were left unchanged.
    package var changes: [SourceChange]
  }

  /// Rewrites the files of a module.
  /// - Parameters:
  ///   - others: files of the module that are compiled unchanged, or are generated.
  ///   - bundle: what the module has in a bundle of its own.
  /// - Throws: the problems of code that cannot be rewritten.
  package static func rewrite(
    module: String, files: [SourceFile], others: [ParsedFile] = [],
    dependencies: [(name: String, load: () -> [ParsedFile])] = [], bundle: ModuleBundle = .none
  ) throws(SourceProblems) -> Output {
    let program = Program(module: module, files: files.map(\.parsed) + others, dependencies: dependencies)
    var rewriter = Rewriter(program: program, files: files)
    for index in files.indices { rewriter.editDeclarations(index) }
    rewriter.mapBundles(bundle)
    rewriter.adoptObserving()
    // This comes last, because moved members take their earlier changes along.
    rewriter.moveMembers()
    rewriter.completeImports(others: others)
    guard rewriter.problems.isEmpty else { throw SourceProblems(list: rewriter.problems) }
    let copies = files.indices.map { rewriter.copy($0) + rewriter.hiddenMembers($0) + rewriter.bundleVariable($0) }
    let registration = Generator.registration(
      of: files.map(\.parsed), in: program, keys: rewriter.keys, memberFunctions: rewriter.memberFunctions)
    let order = rewriter.changes.sorted { ($0.path, $0.line) < ($1.path, $1.line) }
    return Output(copies: copies, registration: registration, changes: order)
  }

  private init(program: Program, files: [SourceFile]) {
    self.program = program
    self.files = files
    edits = files.map { SourceEdits($0.bytes) }
  }

  private mutating func editDeclarations(_ index: Int) {
    let file = files[index]
    var edits = edits[index]
    for member in file.parsed.members { giveBody(to: member, in: file, &edits) }
    for line in file.parsed.localLines {
      report(
        "@NSManaged in a class that is declared in a function is not supported; move the class out of it", line, file)
    }
    rewriteTokens(file.tokens, file, &edits)
    for range in file.interpolations {
      var lexer = Lexer(Array(file.bytes[range]))
      lexer.run()
      // String literals within interpolations are left unchanged.
      let line = file.bytes[..<range.lowerBound].count { $0 == UInt8(ascii: "\n") }
      rewriteTokens(lexer.tokens.map { $0.moved(by: range.lowerBound, lines: line) }, file, &edits)
    }
    self.edits[index] = edits
    requireInitializers(index)
  }

  private func copy(_ index: Int) -> String {
    let file = files[index]
    let imports = (imports[index] ?? []).map { $0.text }
    if file.isMain { return file.adding(imports, to: edits[index]) }
    return imports.map { $0 + "\n" }.joined()
      + "#sourceLocation(file: \(SourceName.quoted(file.path)), line: 1)\n" + edits[index].result
  }

  mutating func report(_ message: String, _ line: Int, _ file: SourceFile) {
    problems.append(SourceProblem(path: file.path, line: line, column: 1, message: message))
  }

  mutating func note(_ text: String, _ line: Int, _ file: SourceFile, isLeft: Bool = false) {
    let change = SourceChange(path: file.path, line: line, text: text, isLeft: isLeft)
    if !changes.contains(change) { changes.append(change) }
  }

  private mutating func rewriteTokens(_ tokens: [Token], _ file: SourceFile, _ edits: inout SourceEdits) {
    for index in tokens.indices.dropLast() {
      if tokens[index].kind == .identifier {
        rewriteCast(at: index, tokens, file, &edits)
        continue
      }
      let name = tokens[index + 1]
      guard name.kind == .identifier, tokens[index].range.upperBound == name.range.lowerBound else { continue }
      if tokens[index].isPunctuation("@") {
        switch name.text {
        case "objc":
          removeAttribute(at: index, tokens, file, &edits)
          note("@objc is left out", name.line, file)
        case "objcMembers", "NSManaged":
          edits.blank(tokens[index].range.lowerBound..<name.range.upperBound)
          note(name.text == "NSManaged" ? "@NSManaged gets a body" : "@objcMembers is left out", name.line, file)
        default: break
        }
      } else if tokens[index].isPunctuation("#"), ["keyPath", "selector"].contains(name.text) {
        guard let end = closing(index + 2, tokens) else { continue }
        let range = tokens[index].range.lowerBound..<tokens[end].range.upperBound
        let inner = Array(tokens[(index + 3)..<end])
        let text = name.text == "keyPath" ? keyPath(inner) : selector(inner, in: file)
        edits.replace(range, with: text)
        note("#\(name.text) is \(text)", name.line, file)
      }
    }
  }

  /// Returns the parenthesis that closes the one at an index.
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
  fileprivate func moved(by offset: Int, lines: Int) -> Token {
    var token = self
    token.range = (range.lowerBound + offset)..<(range.upperBound + offset)
    token.line += lines
    return token
  }
}
