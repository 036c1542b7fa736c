/// Types of the libraries that a managed property may have, with the module that declares them.
enum KnownTypes {
  /// The names of the modules whose types are listed here, as source files may use them for qualification.
  static let modules: Set = [
    "Swift", "Foundation", "FoundationEssentials", "FoundationInternationalization", "CoreData", "OpenCoreData",
    "CocoaFoundation", "OpenCocoaFoundation",
  ]

  /// Aliases of Foundation.
  static let aliases: [String: TypeSyntax] = [
    "TimeInterval": .named(["Double"], arguments: []), "NSPoint": .named(["CGPoint"], arguments: []),
    "NSSize": .named(["CGSize"], arguments: []), "NSRect": .named(["CGRect"], arguments: []),
    "unichar": .named(["UInt16"], arguments: []), "NSErrorDomain": .named(["NSString"], arguments: []),
  ]

  /// Returns a type by its unqualified name.
  static func nominal(_ name: String) -> Nominal? {
    if let nominal = table[name] { return nominal }
    if name == "NSRange" { return Nominal(.module("Foundation"), "_NSRange", .structure) }
    // Nearly all names with this beginning are classes of Foundation; the exceptions are in the table.
    guard name.hasPrefix("NS"), name.utf8.dropFirst(2).first.map({ $0 >= 65 && $0 <= 90 }) == true else { return nil }
    return Nominal(.module("Foundation"), name, .class)
  }

  private static let table: [String: Nominal] = {
    var table: [String: Nominal] = [:]
    for (module, kind, names) in lists {
      for name in names.split(whereSeparator: \.isWhitespace).map(String.init) {
        table[name] = Nominal(.module(module), name, kind)
      }
    }
    return table
  }()

  private static let lists: [(module: String, kind: NominalKind, names: String)] = [
    (
      "Swift", .structure,
      """
      Array Bool Dictionary Double Float Set Int Character ClosedRange Range ObjectIdentifier String Substring UInt
      Int8 Int16 Int32 Int64 Int128 UInt8 UInt16 UInt32 UInt64 UInt128 Float16 AnyHashable Duration ContiguousArray
      """
    ),
    ("Swift", .enumeration, "Never Result"), ("Swift", .protocol, "Error Sendable"),
    (
      "FoundationEssentials", .structure,
      """
      AttributedString Calendar Data Date DateComponents DateInterval Decimal IndexPath Locale TimeZone URL
      URLComponents URLQueryItem UUID
      """
    ),
    ("FoundationEssentials", .enumeration, "ComparisonResult SortOrder"),
    (
      "FoundationEssentials", .class,
      "FileManager JSONDecoder JSONEncoder NotificationCenter ProcessInfo PropertyListDecoder PropertyListEncoder"
    ),
    (
      "Foundation", .structure,
      """
      AffineTransform CGFloat CGPoint CGRect CGSize CharacterSet IndexSet Measurement Notification ObjCBool
      PersonNameComponents NSEdgeInsets NSExceptionName
      """
    ),
    (
      "Foundation", .class,
      """
      BlockOperation Bundle DateFormatter Dimension Formatter NumberFormatter Operation OperationQueue Progress Thread
      Timer Unit UnitAcceleration UnitAngle UnitArea UnitConcentrationMass UnitDispersion UnitDuration
      UnitElectricCharge UnitElectricCurrent UnitElectricPotentialDifference UnitElectricResistance UnitEnergy
      UnitFrequency UnitFuelEfficiency UnitIlluminance UnitInformationStorage UnitLength UnitMass UnitPower
      UnitPressure UnitSpeed UnitTemperature UnitVolume UserDefaults
      """
    ),
    ("Foundation", .enumeration, "NSRectEdge QualityOfService"),
    ("Foundation", .protocol, "NSCoding NSCopying NSMutableCopying NSObjectProtocol NSSecureCoding"),
    (
      "OpenCoreData", .class,
      """
      NSManagedObject NSManagedObjectID NSManagedObjectContext NSManagedObjectModel NSEntityDescription
      NSPersistentStore NSPersistentStoreCoordinator NSPersistentHistoryToken NSQueryGenerationToken
      """
    ),
    ("OpenCoreData", .protocol, "NSFetchRequestResult"),
    (
      "OpenCocoaFoundation", .class,
      "NSExpression NSComparisonPredicate NSCompoundPredicate ValueTransformer UndoManager"
    ),
  ]
}
