/// Writes the file that gives the `@NSManaged` declarations of a module their bodies.
///
/// Apple's compiler leaves these bodies to the Objective-C runtime. On other platforms the declarations compile to
/// calls of functions that are not defined anywhere. The generated file defines these functions, under the names that
/// the linker looks for.
package struct Generator {
  let program: Program
  let files: [ParsedFile]
  var keys = PropertyKeys()
  var usedNames: Set<String> = []
  var publicModules: Set<String> = []
  /// Statements that list the key paths of each class, in the order of the classes.
  var keyPaths: [(type: String, statements: String)] = []
  /// The functions of other files that list members of classes.
  var memberFunctions: [String] = []

  package init(program: Program, files: [ParsedFile]) {
    self.program = program
    self.files = files.sorted { ($0.name, $0.path) < ($1.name, $1.path) }
  }

  /// Returns the text of the generated file.
  /// - Parameters:
  ///   - generated: files whose types are looked up and that get no code, because they are generated complete.
  ///   - models: paths of the models that are built with the module.
  package static func generate(
    module: String, files: [ParsedFile], generated: [ParsedFile] = [],
    dependencies: [(name: String, load: () -> [ParsedFile])] = [], models: [String] = []
  ) -> String {
    var generator = Generator(
      program: Program(module: module, files: files + generated, dependencies: dependencies), files: files)
    return generator.run(models: models)
  }

  private mutating func run(models: [String]) -> String {
    let header = "// Generated from the @NSManaged declarations of module \(program.module.name). Do not edit.\n"
    let accessors = files.map { section(for: $0) }.filter { !$0.isEmpty }.joined(separator: "\n")
    let registration = self.registration(models: models).text
    if accessors.isEmpty, registration.isEmpty { return header }
    return [header, imports(), accessors, keys.declarations, registration].filter { !$0.isEmpty }
      .joined(separator: "\n")
  }

  /// Returns the accessors for one source file, grouped as in the file.
  private mutating func section(for file: ParsedFile) -> String {
    var text = ""
    var open: (type: String, conditions: [String])?
    func close() { if let block = open { text += "}\n" + (block.conditions.isEmpty ? "" : "#endif\n") } }
    for member in file.members {
      do {
        let owner = try program.owner(of: member)
        let lines = try functions(for: member, of: owner, in: file)
        if open?.type != owner.extended || open?.conditions != member.info.conditions {
          close()
          open = (owner.extended, member.info.conditions)
          if !member.info.conditions.isEmpty { text += condition(member.info.conditions) }
          text += "extension \(owner.extended) {\n"
        }
        text += lines
      } catch {
        close()
        open = nil
        text += diagnostic(member, reason: (error as? Obstacle)?.reason ?? "\(error)", in: file)
      }
    }
    close()
    for line in file.localLines {
      text += diagnostic(
        "\(file.name): @NSManaged in a class that is declared in a function is not supported; move the class out of it",
        conditions: [], path: file.path, line: line)
    }
    return text.isEmpty ? "" : "// \(file.name)\n" + text
  }

  func condition(_ conditions: [String]) -> String { "#if \(conditions.joined(separator: " && "))\n" }

  private func diagnostic(_ member: ManagedMember, reason: String, in file: ParsedFile) -> String {
    let name = (member.info.container.path + [member.info.name]).joined(separator: ".")
    let kind = if case .property = member.kind { "property" } else { "method" }
    return diagnostic(
      "\(file.name): @NSManaged \(kind) '\(name)' \(reason)", conditions: member.info.conditions, path: file.path,
      line: member.info.line)
  }

  /// Returns an error that the compiler reports at the declaration.
  private func diagnostic(_ message: String, conditions: [String], path: String, line: Int) -> String {
    var text = "#sourceLocation(file: \(SourceName.quoted(path)), line: \(line))\n"
    text += "#error(\(SourceName.quoted(message)))\n#sourceLocation()\n"
    return conditions.isEmpty ? text : condition(conditions) + text + "#endif\n"
  }
}
