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
  /// Whether files import that module with an access level; then all have to.
  var hasExplicitImports = false
  /// The module that a copy imports for what Foundation lacks.
  let cocoaModule: String
  /// The extensions with the defaults of optional methods, by the index of the file.
  var optionalDefaults: [Int: String] = [:]
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
    let imports = files.flatMap(\.parsed.imports) + others.flatMap(\.imports)
    var rewriter = Rewriter(program: program, files: files, cocoaModule: cocoaModule(of: imports))
    for index in files.indices { rewriter.editDeclarations(index) }
    rewriter.sendBlocks()
    rewriter.replaceOptionalRequirements()
    rewriter.mapBundles(bundle)
    rewriter.adoptObserving()
    // This comes last, because moved members take their earlier changes along.
    rewriter.moveMembers()
    rewriter.completeImports(others: others)
    guard rewriter.problems.isEmpty else { throw SourceProblems(list: rewriter.problems) }
    let copies = files.indices.map { rewriter.copy($0) + rewriter.ending($0) }
    let complete = files.indices.map { index in
      var parsed = files[index].parsed
      parsed.imports += rewriter.imports[index] ?? []
      return parsed
    }
    let registration = Generator.registration(
      of: complete, in: program, keys: rewriter.keys, memberFunctions: rewriter.memberFunctions)
    let order = rewriter.changes.sorted { ($0.path, $0.line) < ($1.path, $1.line) }
    return Output(copies: copies, registration: registration, changes: order)
  }

  private init(program: Program, files: [SourceFile], cocoaModule: String) {
    self.program = program
    self.cocoaModule = cocoaModule
    self.files = files
    edits = files.map { SourceEdits($0.bytes) }
  }

  private mutating func editDeclarations(_ index: Int) {
    let file = files[index]
    var edits = edits[index]
    for member in file.parsed.members { giveBody(to: member, in: file, &edits) }
    for local in file.localClasses {
      for member in local.members { giveBody(to: member, of: local, in: file, &edits) }
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

  /// Returns what a copy has after the text of its file.
  private mutating func ending(_ index: Int) -> String {
    hiddenMembers(index) + bundleVariable(index) + (optionalDefaults[index] ?? "")
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
}
