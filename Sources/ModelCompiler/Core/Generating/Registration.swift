/// Writes code that runs when the program is loaded, and that registers the functions which return classes, key paths
/// and models with the framework.
///
/// The code stores only pointers when the program is loaded; the tables are made when they are first needed. Before Swift
/// 6.3 no code of a client can run at that time, so a class has the code, and the framework finds the class by its name when it
/// first looks for something that may be registered. It is a class because the optimizer removes other types without uses.
struct Registration {
  let module: String
  /// Statements that append a class to `list`.
  var classes: [String] = []
  /// Statements that append the key paths of each class to `list`, in the order of the classes.
  var keyPaths: [(type: String, statements: String)] = []
  /// Statements that append a validating method to `list`.
  var validators: [String] = []
  /// Statements that append the other members of each class to `list`.
  var members: [(type: String, statements: String)] = []
  /// The functions of other files that append such statements to `list`.
  var memberFunctions: [String] = []
  /// Statements that append a migration policy to `list`.
  var policies: [String] = []
  /// Paths of the models that are built with the module.
  var models: [String] = []

  var text: String {
    let hasTables = !(classes.isEmpty && keyPaths.isEmpty && validators.isEmpty)
    let hasMembers = !(members.isEmpty && memberFunctions.isEmpty)
    if !hasTables, !hasMembers, policies.isEmpty, models.isEmpty { return "" }
    var statements = ""
    if hasTables {
      statements += """
          _registerManagedModule(
            name: \(SourceName.quoted(module)), classes: { _managedClasses() }, keyPaths: { _managedKeyPaths() }\
        \(validators.isEmpty ? "" : ",\n    validators: { _managedValidators() }"))

        """
    }
    if hasMembers { statements += "  _registerClassMembers { _classMembers() }\n" }
    if !policies.isEmpty { statements += "  _registerMigrationPolicies { _migrationPolicies() }\n" }
    for model in models {
      statements += "  _registerModel(\(SourceName.quoted(model)), module: \(SourceName.quoted(module)))\n"
    }
    let entry = """
      #if compiler(>=6.3)
      #if objectFormat(ELF)
      @used @section(".init_array")
      #elseif objectFormat(COFF)
      @used @section(".CRT$XCU")
      #endif
      private nonisolated let _register: @convention(c) () -> Void = {
      \(statements)}
      #else
      private nonisolated final class _CoreDataRegistration: CoreData._ModuleRegistration {
        static func register() {
      \(statements)  }
      }
      #endif

      """
    return entry + (hasTables ? tables : "") + (hasMembers ? memberTables : "") + policyTable
  }

  /// The functions of the members are not `nonisolated`: if a module isolates its declarations to the main actor, only
  /// functions with this isolation can form key paths of its properties.
  private var memberTables: String {
    let calls =
      members.indices.map { "  _listClassMembers\($0)(&list)\n" } + memberFunctions.map { "  \($0)(&list)\n" }
    return """

      private func _classMembers() -> [CoreData._ClassMember] {
        \(table("CoreData._ClassMember", calls.joined()))
      }

      """
        + members.enumerated().map { index, entry in
          """

          @_optimize(none)
          private func _listClassMembers\(index)(_ list: inout [CoreData._ClassMember]) {
          \(entry.statements)}

          """
        }.joined()
  }

  private var policyTable: String {
    if policies.isEmpty { return "" }
    return """

      private nonisolated func _migrationPolicies() -> [(String, NSEntityMigrationPolicy.Type)] {
        \(table("(String, NSEntityMigrationPolicy.Type)", policies.joined()))
      }

      """
  }

  private var tables: String {
    """

    private nonisolated func _managedClasses() -> [(String, NSManagedObject.Type)] {
      \(table("(String, NSManagedObject.Type)", classes.joined()))
    }

    private nonisolated func _managedKeyPaths() -> [(AnyKeyPath, String)] {
      \(table("(AnyKeyPath, String)", keyPaths.indices.map { "  _listKeyPaths\($0)(&list)\n" }.joined()))
    }

    """ + keyPaths.enumerated().map(keyPathFunction).joined() + validatorFunction
  }

  private var validatorFunction: String {
    if validators.isEmpty { return "" }
    return """

      private nonisolated func _managedValidators() -> [_ManagedValidator] {
        \(table("_ManagedValidator", validators.joined()))
      }

      """
  }

  static func classStatement(_ name: String, type: String) -> String {
    "  list.append((\(SourceName.quoted(name)), \(type).self))\n"
  }

  static func keyPathStatement(_ type: String, _ property: String) -> String {
    "  list.append((\\\(type).\(SourceName.spelled(property)) as AnyKeyPath, \(SourceName.quoted(property))))\n"
  }

  static func validatorStatement(_ type: String, _ method: String, key: String) -> String {
    "  list.append(_ManagedValidator(\(type).self, \(SourceName.quoted(key))) { "
      + "try $0.\(SourceName.spelled(method))($1) })\n"
  }

  private func table(_ element: String, _ statements: String) -> String {
    statements.isEmpty ? "[]" : "var list: [\(element)] = []\n" + statements + "  return list"
  }

  /// Returns the function that lists one class's key paths. Each class has its own function, which is not optimised:
  /// the compiler's time grows faster than the length of a function, and this code runs at most once.
  private func keyPathFunction(_ index: Int, _ entry: (type: String, statements: String)) -> String {
    """

    @_optimize(none)
    private nonisolated func _listKeyPaths\(index)(_ list: inout [(AnyKeyPath, String)]) {
    \(entry.statements)}

    """
  }
}
