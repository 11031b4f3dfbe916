// the third build failed because of the method, and for no other reason
String log = new File(basedir, 'build.log').text
assert log.contains('METHOD_REMOVED') && log.contains('io.leasehold.Example.removed()')
assert log.count('BUILD SUCCESS') == 2
