import Foundation

// Names of kinds of stores, and the keys of their options.

/// A SQLite database in Apple's format.
public let NSSQLiteStoreType = "SQLite"

/// A store that is gone when it is removed from its coordinator.
public let NSInMemoryStoreType = "InMemory"

/// An XML file in Apple's format, read and written as a whole.
public let NSXMLStoreType = "XML"

/// A binary file, read and written as a whole.
///
/// Differs from Apple (D-STO-15): the format is one of our own; a file of Apple's gives 259.
public let NSBinaryStoreType = "Binary"

/// Option: whether the store may only be read; NSNumber of a Boolean.
public let NSReadOnlyPersistentStoreOption = "NSReadOnlyPersistentStoreOption"
/// Option: seconds to wait for a lock of another process; NSNumber.
public let NSPersistentStoreTimeoutOption = "NSPersistentStoreTimeoutOption"
/// Option: SQLite pragmas for every connection; a dictionary of names and values.
public let NSSQLitePragmasOption = "NSSQLitePragmasOption"
/// Option: whether an XML store is checked strictly when it is opened; NSNumber of a Boolean.
///
/// Then the document type, the declared types, counts and destinations must be those of the model, both ends of each
/// relationship must agree, and `nextObjectID` must not be behind, else opening throws 259. What cannot be read without
/// loss is refused anyway.
public let NSValidateXMLStoreOption = "NSValidateXMLStoreOption"
