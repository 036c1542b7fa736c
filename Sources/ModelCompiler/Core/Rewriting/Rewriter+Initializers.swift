extension Rewriter {
  /// The framework's required initialiser that a declaration overrides.
  enum RequiredInitializer {
    case entity, context, model
  }

  /// A class of which the framework itself creates objects, by calling a required initialiser.
  enum RequiringClass {
    case object, coordinator

    /// The text of the designated initialiser that only calls the one of the superclass.
    var inherited: String {
      switch self {
      case .object:
        "required init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) { "
          + "super.init(entity: entity, insertInto: context) }"
      case .coordinator:
        "required init(managedObjectModel model: NSManagedObjectModel) { super.init(managedObjectModel: model) }"
      }
    }
  }

  /// Adds `required` to overrides of the framework's initialisers, and adds the initialisers that a class would no
  /// longer inherit.
  mutating func requireInitializers(_ index: Int) {
    let file = files[index]
    for body in file.bodies where body.keyword == "class" {
      guard let kind = requiringClass(body.path) else { continue }
      var isComplete = true
      var hasOwn = false
      for member in body.members where member.keyword == "init" {
        hasOwn = hasOwn || member.modifier("convenience", file.tokens) == nil
        guard let initializer = requiredInitializer(member, in: file, of: kind) else { continue }
        if initializer != .context { isComplete = false }
        require(member, in: index, isOpen: body.access == .open)
      }
      if hasOwn, isComplete { addRequired(kind, to: body, index) }
    }
  }

  private mutating func addRequired(_ kind: RequiringClass, to body: TypeBody, _ index: Int) {
    let file = files[index]
    let line = file.tokens[body.open].line
    if let member = body.members.first(where: \.needsValue) {
      let name = body.path.joined(separator: ".")
      return note(
        "\(name) needs a '\(kind.inherited.prefix { $0 != "{" })', which is not added because '\(member.name)' has no "
          + "initial value", line, file, isLeft: true)
    }
    let next = file.tokens[body.open + 1]
    let separator = next.line == line && !next.isPunctuation("}") ? ";" : ""
    edits[index].insert(
      " " + (body.access == .open ? "public " : "") + kind.inherited + separator,
      at: file.tokens[body.open].range.upperBound)
    note("the class gets the required initialiser that it does not inherit", line, file)
  }

  /// Adds `required` to an initialiser.
  mutating func require(_ member: MemberOutline, in index: Int, isOpen: Bool) {
    let file = files[index]
    let tokens = file.tokens
    if let access = member.access(tokens), access.level < (isOpen ? .public : .internal) {
      // The initialiser must be as visible as the class.
      edits[index].replace(tokens[access.token].range, with: isOpen ? "public" : "")
    } else if isOpen, member.access(tokens) == nil {
      edits[index].insert("public ", at: tokens[member.keywordToken].range.lowerBound)
    }
    let required = member.modifier("required", tokens)
    if let override = member.modifier("override", tokens) {
      edits[index].replace(tokens[override].range, with: required == nil ? "required" : "")
      note("the override of an initialiser is required", tokens[override].line, file)
    } else if required == nil {
      edits[index].insert("required ", at: tokens[member.keywordToken].range.lowerBound)
      note("the initialiser is required", tokens[member.keywordToken].line, file)
    }
  }

  /// Returns the framework's initialiser that a member of such a class overrides.
  func requiredInitializer(
    _ member: MemberOutline, in file: SourceFile, of kind: RequiringClass
  ) -> RequiredInitializer? {
    guard member.keyword == "init", let parameters = member.parameters else { return nil }
    let next = file.tokens[member.keywordToken + 1]
    // A failable or generic initialiser overrides none of them.
    if next.isPunctuation("?") || next.isPunctuation("<") { return nil }
    let inner = Array(file.tokens[parameters].dropFirst().dropLast())
    switch (kind, labels(inner)) {
    case (.object, ["entity", "insertInto"]): return names("NSManagedObjectContext", inner) ? .entity : nil
    case (.object, ["context"]): return names("NSManagedObjectContext", inner) ? .context : nil
    case (.coordinator, ["managedObjectModel"]): return names("NSManagedObjectModel", inner) ? .model : nil
    default: return nil
    }
  }

  private func names(_ type: String, _ tokens: [Token]) -> Bool { tokens.contains { $0.isKeyword(type) } }

  func requiringClass(_ path: [String]) -> RequiringClass? {
    switch program.frameworkClass(of: path) {
    case "NSManagedObject": .object
    case "NSPersistentStoreCoordinator": .coordinator
    default: nil
    }
  }
}
