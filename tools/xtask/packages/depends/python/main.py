from first_minute import FirstMinute, Person
with FirstMinute.load() as plugin:
    print(plugin.greet(Person("Ada", ["de"])).text)
