import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// The folder that belongs to a store is named after it.
@Suite struct SupportFolderTests {
  @Test(arguments: [
    ("/a/Album.sqlite", "/a/.Album_SUPPORT"), ("/a/My Store.v2.sqlite", "/a/.My Store.v2_SUPPORT"),
    ("/a b/Größe 日本.db", "/a b/.Größe 日本_SUPPORT"), ("/a/plain", "/a/.plain_SUPPORT"),
  ]) func itsNameIsTheStoresWithoutTheExtension(store: String, folder: String) {
    let found = ExternalStorage.supportFolder(forStoreAt: URL(fileURLWithPath: store))
    #expect(found.path == folder && found.isFileURL)
  }
}
