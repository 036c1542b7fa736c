// Options for Spotlight on former systems. Code that still uses them compiles; a store ignores them.

/// Option: in which form a store wrote records for Spotlight; ignored.
@available(*, deprecated, message: "Spotlight external records have been removed")
public let NSExternalRecordsFileFormatOption = "NSExternalRecordsFileFormatOption"
/// Option: where a store wrote records for Spotlight; ignored.
@available(*, deprecated, message: "Spotlight external records have been removed")
public let NSExternalRecordsDirectoryOption = "NSExternalRecordsDirectoryOption"
/// Option: the extension of the files of records for Spotlight; ignored.
@available(*, deprecated, message: "Spotlight external records have been removed")
public let NSExternalRecordExtensionOption = "NSExternalRecordExtensionOption"
/// A value of `NSExternalRecordsFileFormatOption`.
@available(*, deprecated, message: "Spotlight external records have been removed")
public let NSXMLExternalRecordType = "XML"
/// A value of `NSExternalRecordsFileFormatOption`.
@available(*, deprecated, message: "Spotlight external records have been removed")
public let NSBinaryExternalRecordType = "binary"
