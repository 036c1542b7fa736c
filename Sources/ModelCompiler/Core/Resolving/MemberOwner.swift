/// A class whose members are listed in generated code.
struct MemberOwner {
  enum Kind { case managed, policy, other }

  var path: [String]
  /// The name of the class in the members' own file.
  var spelled: String
  var kind: Kind
  var access: AccessLevel
  /// Whether the class has `@objcMembers`.
  var exposesMembers = false
  /// The module that declares the class.
  var index: ModuleIndex

  /// The classes of Foundation for values of attributes and collections, to which a module may add methods that expressions
  /// call.
  static let valueClasses: Set = [
    "NSString", "NSMutableString", "NSAttributedString", "NSNumber", "NSDecimalNumber", "NSDate", "NSData",
    "NSMutableData", "NSURL", "NSUUID", "NSArray", "NSMutableArray", "NSDictionary", "NSMutableDictionary", "NSSet",
    "NSMutableSet", "NSOrderedSet", "NSMutableOrderedSet",
  ]
}

extension Program {
  /// Returns the class that encloses a member; nil for another type, a generic class, or a class that is not found.
  func memberOwner(_ container: Container) -> MemberOwner? {
    let path = container.path
    let spelled = path.map(SourceName.spelled).joined(separator: ".")
    if module.types[path] != nil { return owner(path, in: module, spelled) }
    guard container.types.isEmpty else { return nil }
    switch find(container.extended, from: Container(), in: module) {
    case .type(let index, let path)?: return owner(path, in: index, spelled)
    case .known(let nominal)? where nominal.name == "NSManagedObject":
      return MemberOwner(path: [], spelled: "NSManagedObject", kind: .managed, access: .public, index: module)
    case .known(let nominal)? where MemberOwner.valueClasses.contains(nominal.name):
      return MemberOwner(path: [], spelled: spelled, kind: .other, access: .public, index: module)
    default: return nil
    }
  }

  private func owner(_ path: [String], in index: ModuleIndex, _ spelled: String) -> MemberOwner? {
    guard let entry = index.types[path], entry.declaration.kind == .class,
      !(1...path.count).contains(where: { index.types[Array(path.prefix($0))]?.declaration.isGeneric ?? false })
    else { return nil }
    let kind: MemberOwner.Kind =
      isManaged(path, in: index) ? .managed : isPolicy(path, in: index) ? .policy : .other
    return MemberOwner(
      path: path, spelled: spelled, kind: kind, access: index === module ? index.access(of: path) : .public,
      exposesMembers: entry.declaration.exposesMembers, index: index)
  }

  /// Whether a class descends from NSEntityMigrationPolicy.
  private func isPolicy(_ path: [String], in index: ModuleIndex) -> Bool {
    var (path, index) = (path, index)
    for _ in 0..<64 {
      guard case .named(let names, _)? = index.types[path]?.declaration.inherited.first else { return false }
      if names.last == "NSEntityMigrationPolicy" { return true }
      guard case .type(let other, let ancestor)? = superclass(of: path, in: index) else { return false }
      (path, index) = (ancestor, other)
    }
    return false
  }

  /// Whether a superclass in source declares the property as a managed one, or exposes it to Objective-C.
  func inheritsManaged(_ name: String, _ owner: MemberOwner) -> Bool {
    var (path, index) = (owner.path, owner.index)
    for _ in 0..<64 {
      guard case .type(let other, let ancestor)? = superclass(of: path, in: index) else { return false }
      (path, index) = (ancestor, other)
      if index.properties[path]?.contains(where: { $0.name == name }) == true { return true }
      if index.namedMembers[path]?.contains(where: { $0.info.name == name && $0.isExposed }) == true { return true }
    }
    return false
  }

  /// Returns the properties that a class inherits, that other classes may name and that are not managed.
  func inheritedMembers(_ owner: MemberOwner) -> [NamedMember] {
    var (path, index) = (owner.path, owner.index)
    var members: [NamedMember] = []
    for _ in 0..<64 {
      guard case .type(let other, let ancestor)? = superclass(of: path, in: index) else { break }
      (path, index) = (ancestor, other)
      let narrowest: AccessLevel = index === module ? .internal : .public
      members += (index.namedMembers[path] ?? []).filter { $0.kind == .property && $0.info.access >= narrowest }
    }
    return members
  }
}
