extension ClassGenerator {
  mutating func property(_ attribute: AttributeSource) -> String {
    let type = AttributeTypes.type(of: attribute)
    let isCustom = AttributeTypes.customType(attribute) != nil
    let text = property(
      attribute.name, type, getter: isCustom || type == "NSObject?" ? "_managedObject" : "_managedValue")
    guard isCustom, attribute.place.line > 0 else { return text }
    // An error about the class belongs at the model, because only the model has the name of the class.
    return "#sourceLocation(file: \(SourceName.quoted(model.path)), line: \(attribute.place.line))\n" + text
      + "#sourceLocation()\n"
  }

  mutating func property(_ relationship: RelationshipSource) -> String {
    let destination = className(of: relationship.destination)
    return property(relationship.name, relationship.isToMany ? setType(relationship) + "?" : destination + "?")
  }

  private func setType(_ relationship: RelationshipSource) -> String {
    relationship.isOrdered ? "NSOrderedSet" : "NSSet"
  }

  private mutating func property(_ name: String, _ type: String, getter: String = "_managedValue") -> String {
    if !hasBodies { return "  @NSManaged public var \(SourceName.spelled(name)): \(type)\n" }
    let key = keys.constant(for: name)
    return """
        public var \(SourceName.spelled(name)): \(type) {
          get { \(getter)(\(key)) }
          set { _setManagedValue(newValue, \(key)) }
        }

      """
  }

  /// Returns the methods of a to-many relationship.
  mutating func accessors(_ relationship: RelationshipSource, _ type: String) -> String {
    let name = relationship.name.prefix(1).uppercased() + relationship.name.dropFirst()
    let member = className(of: relationship.destination)
    let key = keys.constant(for: relationship.name)
    var methods: [String] = []
    func add(_ name: String, _ parameters: String, _ call: String) {
      methods.append("  public func \(SourceName.spelled(name))(\(parameters)) { \(call) }\n")
    }
    if relationship.isOrdered {
      add("insertInto\(name)", "_ value: \(member), at idx: Int", "_managedInsert(value, at: idx, \(key))")
      add("removeFrom\(name)", "at idx: Int", "_managedRemove(at: idx, \(key))")
      add(
        "insertInto\(name)", "_ values: [\(member)], at indexes: NSIndexSet",
        "_managedInsert(values, at: indexes, \(key))")
      add("removeFrom\(name)", "at indexes: NSIndexSet", "_managedRemove(at: indexes, \(key))")
      add("replace\(name)", "at idx: Int, with value: \(member)", "_managedReplace(at: idx, with: value, \(key))")
      add(
        "replace\(name)", "at indexes: NSIndexSet, with values: [\(member)]",
        "_managedReplace(at: indexes, with: values, \(key))")
    }
    for values in [("value", member), ("values", setType(relationship))] {
      add("addTo\(name)", "_ \(values.0): \(values.1)", "_managedAdd(\(values.0), \(key))")
      add("removeFrom\(name)", "_ \(values.0): \(values.1)", "_managedRemove(\(values.0), \(key))")
    }
    // Apple's methods take no arrays or Swift sets, and many projects have methods with this name that do. The methods
    // of a project are preferred, and are no redeclarations, because these are generic.
    for (verb, call) in [("addTo", "_managedAdd"), ("removeFrom", "_managedRemove")] {
      let generic = SourceName.spelled(verb + name) + "<Member: \(member)>"
      methods.append("  public func \(generic)(_ values: some Sequence<Member>) { \(call)(values, \(key)) }\n")
    }
    return "// MARK: Generated accessors for \(relationship.name)\nnonisolated extension \(type) {\n"
      + methods.joined() + "}\n\n"
  }
}
